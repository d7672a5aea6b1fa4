package benchtext

import (
	"strconv"
	"strings"
)

// Bytes of prose before each call, and of content in it.
const (
	proseBytes   = 2 << 10
	contentBytes = 190
)

// Turn is prose and the call that follows it.
type Turn struct {
	Prose string
	Call  Call
}

// Turns returns the turns whose prose and arguments come to size bytes or
// slightly more.
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
