package benchtext

import "strings"

// paragraph is prose about code. What matters is how often it has a byte that
// may begin something: eleven backticks in a KB, and a few angle brackets,
// braces and quotes.
const paragraph = `The importer loses the last record of every batch. I traced it to the reader: it asks for a whole page first and only then looks at the counter, so a page that is exactly full ends the loop one step too early.

What I checked:

1. ` + "`Next()`" + ` compares the position with ` + "`pos < limit`" + `, although ` + "`limit`" + ` is the index of the last record and not one past it.
2. The retry path calls ` + "`reset()`" + ` before the page was handed on; with a slow disk that drops whatever was read so far.
3. The summary prints "ok" whenever the count is above zero, so nobody noticed. If total > seen it should say so.

My plan is small on purpose. The comparison becomes ` + "`pos <= limit`" + `, the reset moves behind the hand-over, and the summary compares both counters. A map[string]struct{} of the keys would also show duplicates, but that is another change, and it would cost memory for large inputs.

For the test I will use a page size of four with eight records, then five, then none at all. The old code fails on the first, passes the second by luck, and never returns on the third. Once that works I run the whole suite, twice, because two of the older tests share a directory. Here is the file as it should be.

`

// prose returns n bytes of prose. It begins with number, so that no two are the same.
func prose(number string, n int) string {
	return ("Step " + number + ". " + strings.Repeat(paragraph, n/len(paragraph)+1))[:n]
}
