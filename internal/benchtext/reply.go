// Package benchtext generates the replies that benchmarks parse: prose as models write
// it, with a tool call every 2 KB. They are always the same, so that results of different
// parsers, dialects and days can be compared.
package benchtext

import (
	"strconv"
	"strings"
)

// Sizes of the prose before each call and of the call's content, in bytes.
const (
	proseBytes   = 2 << 10
	contentBytes = 190
)

// Turn is prose and the call that follows it.
type Turn struct {
	Prose string
	Call  Call
}

// Turns returns turns whose prose and arguments have size bytes or slightly more.
func Turns(size int) []Turn {
	var turns []Turn
	for n := 0; n < size; {
		i := len(turns)
		t := Turn{Prose: prose(strconv.Itoa(i), proseBytes), Call: LongCall(PutFile, contentBytes)}
		t.Call.Line, t.Call.Overwrite = 40+i%50, true
		turns = append(turns, t)
		n += len(t.Prose) + len(t.Call.JSON())
	}
	return turns
}

// Reply writes the turns with their calls in a dialect.
func Reply(turns []Turn, write func(Call) string) string {
	var b strings.Builder
	for _, t := range turns {
		b.WriteString(t.Prose)
		b.WriteString(write(t.Call))
	}
	return b.String()
}

// paragraph is prose about code. Its frequency of bytes that may begin a marker is
// typical: eleven backticks in a KB, and a few angle brackets, braces and quotes.
const paragraph = `The importer loses the last record of every batch. I traced it to the reader: it asks for a whole page first and only then looks at the counter, so a page that is exactly full ends the loop one step too early.

What I checked:

1. ` + "`Next()`" + ` compares the position with ` + "`pos < limit`" + `, although ` + "`limit`" + ` is the index of the last record and not one past it.
2. The retry path calls ` + "`reset()`" + ` before the page was handed on; with a slow disk that drops whatever was read so far.
3. The summary prints "ok" whenever the count is above zero, so nobody noticed. If total > seen it should say so.

My plan is small on purpose. The comparison becomes ` + "`pos <= limit`" + `, the reset moves behind the hand-over, and the summary compares both counters. A map[string]struct{} of the keys would also show duplicates, but that is another change, and it would cost memory for large inputs.

For the test I will use a page size of four with eight records, then five, then none at all. The old code fails on the first, passes the second by luck, and never returns on the third. Once that works I run the whole suite, twice, because two of the older tests share a directory. Here is the file as it should be.

`

// prose returns n bytes of prose. It begins with number, so that no two are equal.
func prose(number string, n int) string {
	return ("Step " + number + ". " + strings.Repeat(paragraph, n/len(paragraph)+1))[:n]
}
