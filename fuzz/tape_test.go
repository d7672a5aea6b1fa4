package fuzz

import (
	"github.com/toolparse/toolparse/internal/streamgen"
	"pgregory.net/rapid"
)

// drawTape draws what a generator decides by: few draws, and rapid shrinks a
// failing stream by shrinking the bytes.
func drawTape(t *rapid.T, name string, n int) *streamgen.Tape {
	return streamgen.NewTape(rapid.SliceOfN(rapid.Byte(), 0, n).Draw(t, name))
}

func drawStream(t *rapid.T, dialect string) streamgen.Stream {
	s, err := streamgen.New(drawTape(t, "stream", 400), dialect)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
