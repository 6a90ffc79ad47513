# How coarse the code is. A function: lines between its braces, braces and one line of signature included. Limits: 60
# lines, half of all within 9 and 95 % within 22; 6 parameters, 8 for those that are named below, at most five of them;
# 600 lines in a file; 30 members in a struct.
BEGIN {
    MEDIAN = 9; MOST_OF_ALL = 22; LINES = 60; PARAMETERS = 6; EXCEPTION = 8; FILE_LINES = 600; MEMBERS = 30
    # Functions that may have EXCEPTION parameters, at most five: public ones whose arguments are the textbook's, and what SUNDIALS calls.
    exceptions = split("carom_collide_witnesses carom_dyn_body carom_dyn_forward carom_dyn_inverse jacobian", named)
}
function complain(line, what) { print FILENAME ":" line ": " what; bad = 1 }
function end_of_file() { if (lines > FILE_LINES) { print file ": " lines " lines, at most " FILE_LINES; bad = 1 } }
# Commas of a text that are not inside brackets.
function commas(text,    i, c, depth, count)
{
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (index("([{", c)) depth++
        else if (index(")]}", c)) depth--
        else if (c == "," && depth == 0) count++
    }
    return count + 0
}
function parameters_of(signature)
{
    sub(/^[^(]*\(/, "", signature)
    sub(/\)[^)]*$/, "", signature)
    return signature ~ /^ *(void)? *$/ ? 0 : commas(signature) + 1
}
function check_parameters(name, count,    i, limit)
{
    limit = PARAMETERS
    for (i = 1; i <= exceptions; i++) if (named[i] == name) limit = EXCEPTION
    if (count > limit) complain(start, name " has " count " parameters, at most " limit)
}
FNR == 1 { end_of_file(); file = FILENAME; start = 0; is_body = 0; depth = 0 }
{
    lines = FNR
    line = $0
    sub(/\/\/.*/, "", line)
    gsub(/"(\\.|[^"\\])*"/, "\"\"", line)
    gsub(/'(\\.|[^'\\])+'/, "0", line)
}

# Structs: names between the braces of the outermost, those of a struct inside count once.
depth == 0 && line ~ /^(typedef )?(struct|union)[^;()=]*\{ *$/ {
    depth = 1
    members = 0
    declared = ""
    struct_start = FNR
    next
}
depth > 0 {
    opened = gsub(/\{/, "{", line)
    closed = gsub(/\}/, "}", line)
    if (depth == 1 && !opened && line ~ /^\}/) {
        if (members > MEMBERS) complain(struct_start, "struct with " members " members, at most " MEMBERS)
        depth = 0
        next
    }
    if (depth == 1 && !opened) declared = declared line
    if (depth + opened - closed == 1 && (closed || line ~ /; *$/)) {
        members += closed ? 1 : split(declared, statement, ";") - 1 + commas(declared)
        declared = ""
    }
    depth += opened - closed
    next
}

# Functions.
!is_body && /^[A-Za-z_]/ && /\(/ && !start { start = FNR; signature = "" }
!is_body && start { signature = signature line }
!is_body && (/^[#}]/ || /;$/) { start = 0 }
/^\{/ && start {
    is_body = 1
    first = FNR
    match(signature, /[A-Za-z_0-9]+\(/)
    name = substr(signature, RSTART, RLENGTH - 1)
    sub(/ *\{$/, "", signature)
    check_parameters(name, parameters_of(signature))
    next
}
/^\}/ && is_body {
    size = FNR - first + 2
    if (FILENAME ~ /\.c$/) { count[size]++; functions++ }
    if (size > LINES) complain(start, name " has " size " lines, at most " LINES)
    is_body = start = 0
}
END {
    end_of_file()
    for (size = 1; sum < 0.95*functions; size++) {
        if (sum < 0.5*functions) median = size
        sum += count[size]
    }
    printf "grain: %d functions, median %d lines, 95 %% within %d\n", functions, median, size - 1
    if (median > MEDIAN || size - 1 > MOST_OF_ALL) {
        print "grain: expected a median of at most " MEDIAN " lines and 95 % within " MOST_OF_ALL
        bad = 1
    }
    exit bad
}
