package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/htmlpage"
)

// foreignError reports an input that is neither text nor a format that contains text.
type foreignError struct {
	what, hint string
	binary     bool // it may be text in an unknown encoding
}

func (e *foreignError) Error() string { return fmt.Sprintf("the input is %s; %s", e.what, e.hint) }

// inspector reads an input, decompresses gzip, and fails if the first bytes are clearly
// not UTF-8 text. It lets a few invalid bytes pass, because streams may be cut and
// models may write anything.
type inspector struct {
	r      *bufio.Reader
	opened bool
	err    error

	seen   []byte // the first bytes, decompressed
	noPage bool   // refuse an HTML page
	any    bool   // accept any bytes, because the user said that the input is text

	size int64 // bytes read so far, decompressed
}

// maxInspected bounds how many bytes of the beginning are inspected.
const maxInspected = 4 << 10

func newInspector(r io.Reader) *inspector { return &inspector{r: bufio.NewReaderSize(r, maxInspected)} }

// Read implements [io.Reader].
func (x *inspector) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, x.err
	}
	if !x.opened {
		x.opened, x.err = true, x.begin()
	}
	if x.err != nil {
		return 0, x.err
	}
	n, err := x.r.Read(p)
	x.size += int64(n)
	if room := maxInspected - len(x.seen); room > 0 && n > 0 {
		x.seen = append(x.seen, p[:min(n, room)]...)
		if foreign := inspect(x.seen); foreign != nil && !x.any {
			x.err = foreign
			return 0, x.err
		}
	}
	return n, err
}

// ahead reads ahead until enough returns true, at most maxInspected bytes, and returns
// what it has read.
func (x *inspector) ahead(enough func(head []byte) bool) []byte {
	for {
		head, _ := x.r.Peek(x.r.Buffered())
		if len(head) == maxInspected || enough(head) {
			return head
		}
		if _, err := x.r.Peek(len(head) + 1); err != nil { // Read returns the error again
			return head
		}
	}
}

// begin inspects the beginning before Read returns any of it. It detects gzip, and
// HTML pages, of which no byte may be parsed, however the reads are cut.
func (x *inspector) begin() error {
	head := x.ahead(func(head []byte) bool {
		return len(head) >= len(gzipMagic) || !bytes.HasPrefix([]byte(gzipMagic), head)
	})
	if bytes.HasPrefix(head, []byte(gzipMagic)) && (!x.any || x.hasGzipHeader()) {
		unzipped, err := gzip.NewReader(x.r)
		if err != nil {
			return fmt.Errorf("gzip: %w", err)
		}
		x.r = bufio.NewReaderSize(gzipped{unzipped}, maxInspected)
	}
	if !x.noPage {
		return nil
	}
	head = x.ahead(func(head []byte) bool {
		page, sure := htmlpage.Find(head)
		return sure && page == nil
	})
	if page, _ := htmlpage.Find(head); page != nil {
		hint := "the server or a proxy answered with an error page; if a model wrote it, use -w text"
		return &foreignError{what: strings.TrimPrefix(page.Error(), "the body is "), hint: hint}
	}
	return nil
}

const gzipMagic = "\x1f\x8b"

// hasGzipHeader reports whether a complete gzip header follows.
func (x *inspector) hasGzipHeader() (is bool) {
	x.ahead(func(head []byte) bool {
		_, err := gzip.NewReader(bytes.NewReader(head))
		is = err == nil
		return is || errors.Is(err, gzip.ErrHeader)
	})
	return is
}

// gzipped marks the errors of decompression.
type gzipped struct{ r io.Reader }

func (g gzipped) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("gzip: %w", err)
	}
	return n, err
}

// inspect returns the error for an input that begins with head, or nil.
func inspect(head []byte) *foreignError {
	const text = "save it as UTF-8 (iconv -f %s -t UTF-8)"
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return &foreignError{what: "UTF-32 text, not UTF-8", hint: fmt.Sprintf(text, "UTF-32")}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return &foreignError{what: "UTF-16 text, not UTF-8", hint: fmt.Sprintf(text, "UTF-16")}
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return &foreignError{what: "compressed with zstd", hint: "pass what zstd -dc prints (batch reads zstd itself)"}
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return &foreignError{what: "compressed with xz", hint: "pass what xz -dc prints"}
	}
	var zeros [2]int // at even and at odd offsets
	odd := 0         // unusual control characters, and bytes that are not UTF-8
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r == 0:
			zeros[i%2]++
			odd++
		case r == utf8.RuneError && n == 1 && utf8.FullRune(head[i:]), r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\b\x1b"), r):
			odd++
		}
		i += n
	}
	size := len(head)
	switch {
	case size >= 4 && zeros[1]*5 >= size*2 && zeros[0] == 0:
		return &foreignError{what: "UTF-16 text, not UTF-8", hint: fmt.Sprintf(text, "UTF-16LE")}
	case size >= 4 && zeros[0]*5 >= size*2 && zeros[1] == 0:
		return &foreignError{what: "UTF-16 text, not UTF-8", hint: fmt.Sprintf(text, "UTF-16BE")}
	case odd >= 4 && zeros[0]+zeros[1] > 0 && odd*20 >= size, size >= 32 && odd*4 >= size:
		return &foreignError{what: "binary, or text that is not UTF-8", hint: "pass the text or the provider's answer itself", binary: true}
	}
	return nil
}
