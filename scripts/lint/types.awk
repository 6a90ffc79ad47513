# One type name, one definition: also of types that only one file sees, as a reader searches for the name. Only what is
# announced without its members (typedef struct X X;) may have them in more than one place (struct X { ... }): each is
# one way to do it, which others do not see.
function define(name)
{
    if (name == "" || name == open_name) return
    if (name in where) { print FILENAME ":" FNR ": type " name " is defined at " where[name] " too"; bad = 1 }
    else where[name] = FILENAME ":" FNR
}
FNR == 1 { open_name = "" }
{ line = $0; sub(/\/\/.*/, "", line) }
line ~ /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ \{/ {
    words = split(line, word, /[ {]+/)
    name = word[1] == "typedef" ? word[3] : word[2]
    if (word[1] == "typedef" || !(name in is_announced)) define(name)
    open_name = line ~ /\}/ ? "" : name
    next
}
line ~ /^typedef (struct|union|enum) \{/ { open_name = ""; next }
line ~ /^\} [A-Za-z_0-9]+;/ {
    name = line
    gsub(/[};  ]/, "", name)
    define(name)
    open_name = ""
    next
}
line ~ /^typedef (struct|union|enum) [A-Za-z_0-9]+ [A-Za-z_0-9]+;/ {
    split(line, word, / /)
    is_announced[word[3]] = 1
    next
}
line ~ /^typedef .*\(\*[A-Za-z_0-9]+\)/ {
    match(line, /\(\*[A-Za-z_0-9]+\)/)
    define(substr(line, RSTART + 2, RLENGTH - 3))
    next
}
line ~ /^typedef .*[A-Za-z_0-9\]];/ {
    sub(/(\[[^\]]*\])*;.*/, "", line)
    n = split(line, word, /[ *]+/)
    define(word[n])
}
END { exit bad }
