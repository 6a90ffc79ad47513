# mutants.awk: every one-line mutant of C files, one per row:
#     rank  hash  file  line  column  length  replacement  marked
# marked is the line with {what was => what is}. rank counts the mutants of one line in the order of their hashes, so
# that a sample by rank and hash takes each line once before it takes a second mutant of any. Hashes know the text, not
# the number of a line: the sample stays when lines above move. -v seed=N chooses another one.
#
# Left alone: comments, strings, indices and sizes, counting loops, memory, messages, assertions, statistics.

BEGIN {
    FS = "\n"
    for (i = 32; i < 127; i++) code_of[sprintf("%c", i)] = i
    # < becomes >=, not <=: that two numbers are the same means nothing.
    opposite["<"] = ">="; opposite["<="] = ">"; opposite[">"] = "<="; opposite[">="] = "<"
    opposite["=="] = "!="; opposite["!="] = "=="; opposite["&&"] = "||"; opposite["||"] = "&&"
    opposite["fmin"] = "fmax"; opposite["fmax"] = "fmin"
    unfit = "CAROM_ASSERT|carom_fail|carom_log|printf|alloc|free *[(]|return NULL|out_of_memory|no_memory"
    unfit = unfit "|sizeof|is_whole|good = |status != CAROM_OK[)] return"
    unfit = unfit "|evaluations|rejected|->steps|->stats|[.]stats|static_assert|->message|clamped|^ *if [(]![a-z][)] return;$|if [(]![a-z]+->[a-z_]+ [|][|] !"
}

function hash(text,    h, i)
{
    h = seed + 1
    for (i = 1; i <= length(text); i++) h = (h*16807 + code_of[substr(text, i, 1)]) % 2147483647
    for (i = 0; i < 4; i++) h = (h*16807 + 12345) % 2147483647
    return h
}

# Comments off, strings to blanks of the same length.
function code_only(line,    out, i, c, quote)
{
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (quote != "") {
            if (c == "\\") { out = out "  "; i++; continue }
            if (c == quote) quote = ""
            out = out " "
        } else if (c == "\"" || c == "'") {
            quote = c
            out = out " "
        } else if (c == "/" && substr(line, i + 1, 1) == "/") {
            break
        } else {
            out = out c
        }
    }
    sub(/ +$/, "", out)
    return out
}

function offer(column, len, by,    marked, line)
{
    line = code
    marked = substr(line, 1, column - 1) "{" substr(line, column, len) " => " by "}" substr(line, column + len)
    sub(/^ +/, "", marked)
    found++
    offer_column[found] = column; offer_length[found] = len; offer_by[found] = by; offer_marked[found] = marked
    offer_hash[found] = hash(name marked times[code])
}

function offer_constant(column, text, is_index)
{
    if (text ~ /[.eE]/) {
        if (text + 0 == 0) { offer(column, length(text), "1.0"); return }
        offer(column, length(text), "(10*" text ")")
        offer(column, length(text), "(0.1*" text ")")
        offer(column, length(text), "0.0")
        return
    }
    if (is_index) return
    if (text + 0 > 1) offer(column, length(text), 0)
    if (text + 0 > 3) {  # how often something is tried: one more or less is no mutant
        offer(column, length(text), text*10)
        return
    }
    offer(column, length(text), text + 1)
    offer(column, length(text), text - 1 < 0 ? "(-1)" : text - 1)
}

# Comparisons, logic, least and most, constants.
function offer_tokens(    i, rest, token, brackets, header, depth, n, before, is_none, is_index)
{
    i = 1
    if (code ~ /^ *#define /) { match(code, /^ *#define +[A-Za-z_0-9]+/); i = RLENGTH + 1 }
    while (i <= length(code)) {
        rest = substr(code, i)
        if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            token = substr(rest, 1, RLENGTH)
            if (token == "for" && header == 0) { header = 1; depth = 0 }
        } else if (match(rest, /^(0[xX][0-9a-fA-F]+|[0-9]+[.]?[0-9]*([eE][-+]?[0-9]+)?)[fFuUlL]*/)) {
            token = substr(rest, 1, RLENGTH)
            n = substr(rest, RLENGTH + 1)
            before = substr(code, 1, i - 1)
            is_none = token == "1" && before ~ /[(=?:,{] *-$/  # -1: an index that there is not
            is_index = n ~ /^[*]([ijklmnpr]|sizeof|block|system)[^A-Za-z_]/ || before ~ /long[)]$/
            if (token !~ /[xXfFuUlL]/ && !brackets && !(header && token + 0 < 10) && !is_none)
                offer_constant(i, token, is_index)
        } else if (match(rest, /^(->|<<=|>>=|<<|>>|<=|>=|==|!=|&&|[|][|])/)) {
            token = substr(rest, 1, RLENGTH)
        } else {
            match(rest, /^./)
            token = substr(rest, 1, 1)
            if (token == "[") brackets++
            if (token == "]") brackets--
            if (header && token == "(") depth++
            if (header && token == ")" && --depth == 0) header = 0
        }
        if (token in opposite && !(header && token ~ /^[<>]/)) offer(i, length(token), opposite[token])
        i += length(token)
    }
}

# A whole statement on one line. What returns at the end of a function stays: without it there is no value.
function offer_removal(    text, indent, open)
{
    match(code, /^ */)
    indent = RLENGTH
    text = substr(code, indent + 1)
    if (text !~ /;$/ || indent < 4 || depth_of_braces < 1) return
    if (text ~ /^return/ && indent == 4) return
    if (text ~ /^(const|static|typedef|enum|struct|goto|else|case|default)[ :]/) return
    if (text ~ /^(if|for|while|return|continue|break)[ ;(]/ || text ~ /^[*]?[A-Za-z_0-9.>()\[\]*+ -]+ ?[-+*\/|&]?= / ||
        text ~ /^[A-Za-z_0-9]+[(]/ || text ~ /^[A-Za-z_0-9.>\[\]-]+(\+\+|--);$/) {
        # A declaration stays.
        if (text ~ /^(unsigned |const |struct )?[A-Za-z_0-9]+ [*]*[A-Za-z_0-9\[\]]+( =|,|;)/ &&
            text !~ /^(return|if|for) /) return
        open = gsub(/[(]/, "(", text) - gsub(/[)]/, ")", text)
        if (open == 0) offer(indent + 1, length(text), ";")
    }
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    depth_of_braces = 0
    delete times
}

{
    code = code_only($0)
    times[code]++
    found = 0
    if (code != "" && code !~ unfit && (code !~ /^ *#/ || code ~ /^ *#define [A-Z_0-9]+ /) && $0 !~ /^ *\/\//) {
        offer_tokens()
        offer_removal()
    }
    depth_of_braces += gsub(/[{]/, "{", code) - gsub(/[}]/, "}", code)
    for (k = 1; k <= found; k++) {
        rank = 1
        for (j = 1; j <= found; j++) rank += offer_hash[j] < offer_hash[k]
        printf "%d\t%.0f\t%s\t%d\t", rank, offer_hash[k], FILENAME, FNR
        printf "%d\t%d\t%s\t%s\n", offer_column[k], offer_length[k], offer_by[k], offer_marked[k]
    }
}
