package bridge

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/toolparse/toolparse"
)

// Parse reads one text with a kit. It returns a pickle of a list with the result, or a
// [Failure] if reading the input fails, which may happen on a wire.
func Parse(handle int64, input string) []byte {
	return one(handle, func(k *kit) (*toolparse.Answer, string, error) { return k.parse(input) })
}

// ParseSpecial is [Parse] for a text whose special tokens are known. ranges holds the first
// character of each and the one after it, in their order.
func ParseSpecial(handle int64, input string, ranges []int64) []byte {
	return one(handle, func(k *kit) (*toolparse.Answer, string, error) {
		offsets, last := toolparse.NewOffsets(input, toolparse.Chars), int64(0)
		places := make([]toolparse.Range, 0, len(ranges)/2)
		for ; len(ranges) > 1; ranges = ranges[2:] {
			start, end := ranges[0], ranges[1]
			if start < last || end < start {
				return nil, "", errors.New("special: expected pairs of start and end, in their order")
			}
			last = end
			places = append(places, toolparse.Range{Start: offsets.Byte(start), End: offsets.Byte(end)})
		}
		answer, err := k.ParseSpecial(input, places)
		return answer, input, err
	})
}

// one reads one text with a kit.
func one(handle int64, read func(*kit) (_ *toolparse.Answer, text string, _ error)) []byte {
	k, err := kits.get(handle)
	if err != nil {
		return Failure(err)
	}
	answer, text, err := read(k)
	if err != nil {
		return Failure(err)
	}
	p := newPickler(len(text) + 256)
	defer p.free()
	p.answer(answer, k, text)
	return bytes.Clone(p.end())
}

// parse reads a text, and returns the text that offsets in the answer refer to.
func (k *kit) parse(input string) (_ *toolparse.Answer, text string, err error) {
	if k.opts.Wire == toolparse.Text {
		answer, err := k.Kit.Parse(input)
		return answer, input, err
	}
	answer, err := k.Collect(strings.NewReader(input))
	if answer.Wire != toolparse.Text {
		input = ""
	}
	return answer, input, err
}

// share is the number of texts that a worker takes at a time.
const share = 64

// ParseMany reads texts on all processors, and passes pickles to use, each a list with the
// results of some texts, in the order of the texts. They are valid until use returns. If
// reading any text fails, use gets only a [Failure], of the first of those. first is the
// number of inputs[0], for that message.
func ParseMany(handle int64, inputs []string, first int, use func(pieces [][]byte)) {
	k, err := kits.get(handle)
	if err != nil {
		use([][]byte{Failure(err)})
		return
	}
	shares := slices.Collect(slices.Chunk(inputs, share))
	made := make([]*pickler, len(shares))
	failures := make([]error, len(shares))
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(shares)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(shares)); i = next.Add(1) - 1 {
				made[i], failures[i] = k.parseShare(shares[i], first+int(i)*share)
			}
		})
	}
	workers.Wait()
	pieces := make([][]byte, len(made))
	for i, p := range made {
		if failures[i] != nil {
			use([][]byte{Failure(failures[i])})
			return
		}
		defer p.free()
		pieces[i] = p.end()
	}
	use(pieces)
}

// textError says which of many texts cannot be read.
type textError struct {
	text int
	err  error
}

func (e *textError) Error() string { return e.place() + ": " + e.err.Error() }
func (e *textError) Unwrap() error { return e.err }
func (e *textError) place() string { return fmt.Sprintf("texts[%d]", e.text) }

// parseShare reads some of the texts, the first of which has a number.
func (k *kit) parseShare(inputs []string, first int) (*pickler, error) {
	size := 0
	for _, input := range inputs {
		size += len(input) + len(input)/16 + 128 // most need no more
	}
	p := newPickler(size)
	for i, input := range inputs {
		answer, text, err := k.parse(input)
		if err != nil {
			return nil, &textError{first + i, err}
		}
		p.answer(answer, k, text)
	}
	return p, nil
}
