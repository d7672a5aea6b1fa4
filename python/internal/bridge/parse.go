package bridge

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
)

// Parse reads one text with a kit, and passes use a pickle of a list with the result, which
// is valid until use returns, or a [Failure] if reading the input fails, which may happen on
// a wire. special holds, for each special token of the text, its first character and the one
// after it, in their order; nil if the special tokens are unknown.
func Parse(handle int64, input string, special []int64, use func(piece []byte)) {
	k, err := kits.get(handle)
	if err != nil {
		use(Failure(err))
		return
	}
	answer, text, err := k.parse(input, special)
	if err != nil {
		use(Failure(err))
		return
	}
	p := newPickler(len(answer.Text) + len(answer.Reasoning) + 512)
	defer p.free()
	p.answer(answer, k, text)
	use(p.end())
}

// specialRanges converts ranges of characters. Empty ones, which tokenizers have for tokens
// that they add, count as none.
func specialRanges(input string, ranges []int64) ([]toolparse.Range, error) {
	offsets, last := toolparse.NewOffsets(input, toolparse.Chars), int64(0)
	places := make([]toolparse.Range, 0, len(ranges)/2)
	for pair := range slices.Chunk(ranges, 2) {
		start, end := pair[0], pair[1]
		if start == end {
			continue
		}
		if start < last || end < start {
			return nil, errors.New("special: expected pairs of start and end in ascending order")
		}
		last = end
		places = append(places, toolparse.Range{Start: offsets.Byte(start), End: offsets.Byte(end)})
	}
	return places, nil
}

// parse reads a text, and returns the text that offsets in the answer refer to.
func (k *kit) parse(input string, special []int64) (_ *toolparse.Answer, text string, err error) {
	var answer *toolparse.Answer
	switch {
	case special != nil:
		places, err := specialRanges(input, special)
		if err != nil {
			return nil, "", err
		}
		answer, err = k.ParseSpecial(input, places)
		return answer, input, err
	case k.opts.Wire == toolparse.Text:
		answer, err = k.Kit.Parse(input)
	default:
		answer, err = k.Collect(strings.NewReader(input))
	}
	if answer.Wire != toolparse.Text {
		input = ""
	}
	return answer, input, err
}

// share is some texts that a goroutine reads.
type share struct {
	done   chan struct{} // closed once the rest is set
	p      *pickler      // of the results
	piece  []byte        // what p has written, or a [Failure]
	pinned runtime.Pinner
}

var shares handles[*share]

// Begin begins to read texts in the background, and returns a handle for [Results]. first is
// the number of inputs[0], for messages.
func Begin(handle int64, inputs []string, first int) int64 {
	s := &share{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.read(handle, inputs, first)
		s.pinned.Pin(&s.piece[0])
	}()
	return shares.add(s)
}

// read reads the texts with a kit.
func (s *share) read(handle int64, inputs []string, first int) {
	k, err := kits.get(handle)
	if err != nil {
		s.piece = Failure(err)
		return
	}
	size := 0
	for _, input := range inputs {
		size += len(input) + len(input)/16 + 128 // most need no more
	}
	s.p = newPickler(size)
	for i, input := range inputs {
		answer, text, err := k.parse(input, nil)
		if err != nil {
			s.piece = Failure(&placed{fmt.Sprintf("texts[%d]", first+i), err})
			return
		}
		s.p.answer(answer, k, text)
	}
	s.piece = s.p.end()
}

// Results waits for what was begun, and returns a pickle of a list with the results, or a
// [Failure] of the first text that cannot be read. It is pinned, for C, until [Drop].
func Results(handle int64) []byte {
	s, err := shares.get(handle)
	if err != nil {
		return nil
	}
	<-s.done
	return s.piece
}

// Drop waits for what was begun, and frees its results.
func Drop(handle int64) {
	s, ok := shares.drop(handle)
	if !ok {
		return
	}
	<-s.done
	s.pinned.Unpin()
	if s.p != nil {
		s.p.free()
	}
}
