# Text that no editor should leave behind, and lines wider than a page.
#
# Prose and code have at most 120 columns. Tables may have 190, as a row that is broken is no row: a line that begins
# with a brace and closes it, or that holds nothing but numbers, is one.
function is_row(line)
{
    sub(/ *\/\/.*/, "", line)
    return line ~ /^ *\{.*\}[,;]?$/ || line ~ /^ *[-+0-9.{][-+0-9.eE, {}xXa-fA-F]*$/
}
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
/\t/ { complain("tab") }
/[ \r]$/ { complain("blank at the end") }
length($0) > 120 && !(length($0) <= 190 && is_row($0)) { complain(length($0) " columns, at most 120") }
END { exit bad }
