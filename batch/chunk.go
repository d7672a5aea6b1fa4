package batch

import (
	"bytes"
	"context"
	"io"
	"slices"
)

// chunk is a sequence of records that one worker reads.
type chunk struct {
	data  []byte
	lines []line
	done  chan struct{} // closed when the following fields are set

	out    []byte
	stats  *Stats
	failed error // a *LineError that ends the run
}

// newChunk returns an empty chunk, if possible with the memory of a spare one.
func newChunk(spare <-chan *chunk) *chunk {
	c := &chunk{done: make(chan struct{})}
	select {
	case old := <-spare:
		if cap(old.data) <= 2*chunkBytes { // otherwise it had a large record
			c.data, c.lines = old.data[:0], old.lines[:0]
		}
		if cap(old.out) <= 4*chunkBytes {
			c.out = old.out[:0]
		}
	default:
	}
	return c
}

// line is a record of a chunk.
type line struct {
	number   int64
	from, to int
	tooLarge bool
}

// A chunk is full with what one read of chunkBytes returns, or with chunkRecords records.
const (
	chunkBytes   = 128 << 10
	chunkRecords = 256
)

// splitter cuts an input into chunks. It reads into their memory.
type splitter struct {
	in   io.Reader
	most int // length of a record in bytes

	number   int64 // of the line that is read
	skip     int64 // records to skip
	chunk    *chunk
	from     int  // where the line begins in the data of the chunk
	tooLarge bool // it is longer than most, and dropped
}

// split cuts an input into chunks and passes them to send, until that returns false.
func (b *Batch) split(ctx context.Context, r io.Reader, spare <-chan *chunk, send func(*chunk) bool) error {
	s := splitter{in: r, most: b.opts.MaxRecordBytes, number: b.opts.FirstLine, skip: b.skip, chunk: newChunk(spare)}
	for ctx.Err() == nil {
		searched := len(s.chunk.data)
		err := s.read()
		for {
			length := bytes.IndexByte(s.chunk.data[searched:], '\n') + 1
			if length == 0 {
				break
			}
			searched += length
			s.endLine(searched)
			if len(s.chunk.lines) == chunkRecords {
				full := s.next(newChunk(spare))
				searched = 0
				if !send(full) {
					return nil
				}
			}
		}
		if err == io.EOF {
			s.endLine(len(s.chunk.data))
		}
		if len(s.chunk.lines) > 0 {
			if full := s.next(newChunk(spare)); !send(full) {
				return nil
			}
		}
		switch {
		case err == nil:
			s.drop()
		case err != io.EOF: // an incomplete record is read again after a Resume
			return &LineError{s.number, err}
		case s.skip > 0:
			return &shortError{b.skip - s.skip, b.skip}
		default:
			return nil
		}
	}
	return nil
}

// maxEmptyReads is the number of reads without a byte and an error after which an input is
// broken, as in package bufio.
const maxEmptyReads = 100

// read appends what the input has now to the data of the chunk.
func (s *splitter) read() error {
	c := s.chunk
	c.data = slices.Grow(c.data, chunkBytes)
	for range maxEmptyReads {
		n, err := s.in.Read(c.data[len(c.data):cap(c.data)])
		c.data = c.data[:len(c.data)+n]
		if n > 0 || err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// endLine ends the line at an offset in the data of the chunk, and notes it as a record unless
// it is blank or skipped.
func (s *splitter) endLine(to int) {
	s.tooLarge = s.tooLarge || s.isTooLarge(to)
	l := line{s.number, s.from, to, s.tooLarge}
	s.from, s.tooLarge = to, false
	isBlank := len(bytes.TrimSpace(s.chunk.data[l.from:l.to])) == 0
	switch {
	case isBlank && !l.tooLarge:
	case s.skip > 0:
		s.skip--
	default:
		s.chunk.lines = append(s.chunk.lines, l)
	}
	s.number++
}

func (s *splitter) isTooLarge(to int) bool {
	record := s.chunk.data[s.from:to]
	return len(record) > s.most && len(bytes.TrimRight(record, "\r\n")) > s.most
}

// next puts another chunk, empty, in place of the one with complete lines. The line that is not
// complete moves to it.
func (s *splitter) next(empty *chunk) (full *chunk) {
	full, s.chunk = s.chunk, empty
	empty.data = append(empty.data, full.data[s.from:]...)
	full.data = full.data[:s.from]
	s.from = 0
	return full
}

// drop frees the room of lines that are no records, which are all in the chunk, and of a line
// that is too large already.
func (s *splitter) drop() {
	c := s.chunk
	c.data, s.from = append(c.data[:0], c.data[s.from:]...), 0
	if s.tooLarge = s.tooLarge || s.isTooLarge(len(c.data)); s.tooLarge {
		c.data = c.data[:0]
		if cap(c.data) > 2*chunkBytes {
			c.data = nil
		}
	}
}
