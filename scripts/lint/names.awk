# An external function carries a word of its room: carom_<word>_..., words as in rooms.txt, which is the first file. A
# word belongs to one room, and a room has at most four. Functions in headers of a room count as external.
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
FNR == 1 { at_table = NR == 1; heading = ""; split(FILENAME, part, "/"); room = part[2] }
at_table {
    sub(/#.*/, "")
    if (NF == 0) next
    known[$1] = NF
    if (NF < 2 || NF > 5) complain("room " $1 " has " NF - 1 " words, expected 1 to 4, or - for none")
    for (i = 2; i <= NF; i++) {
        if ($i == "-") continue
        if ($i in home) complain("word " $i " belongs to " home[$i] " and to " $1)
        home[$i] = $1
        has_words[$1] = 1
    }
    next
}
FNR == 1 && !(room in known) { complain("room " room " is not in rooms.txt"); known[room] = 0 }
/^[;#}\/]/ || (/;$/ && /^[^ ]/) { heading = "" }
heading == "" && /^[A-Za-z_]/ && /\(/ && !/;$/ && !/^(typedef|extern|_Static_assert)/ {
    if ($1 == "static" && FILENAME !~ /\.h$/) next
    match($0, /[A-Za-z_0-9]+\(/)
    heading = substr($0, RSTART, RLENGTH - 1)
    line = FNR
}
/^\{/ && heading != "" {
    name = heading
    heading = ""
    if (!(room in has_words)) next
    split(name, word, "_")
    if (word[1] == "carom" && home[word[2]] == room) next
    print FILENAME ":" line ": " name " does not carry a word of its room (" room ")"
    bad = 1
}
END { exit bad }
