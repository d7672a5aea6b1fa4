package format_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
)

// readText collects the texts of all deltas, and the error that ends them.
func readText(r io.Reader, size int) (texts []string, last error) {
	for d, err := range format.NewStream(r, format.Options{Wire: format.Text, ChunkBytes: size}).Deltas() {
		if err != nil {
			return texts, err
		}
		texts = append(texts, d.Text)
	}
	return texts, nil
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		size int
		want []string
	}{
		{"empty", "", 4, nil},
		{"pieces", "abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"size 0", strings.Repeat("a", 4097), 0, []string{strings.Repeat("a", 4096), "a"}},
		{"two bytes", "aé", 2, []string{"a", "é"}},
		{"four bytes, one at a time", "😀!", 1, []string{"😀", "!"}},
		{"ends inside a sequence", "ab\xf0\x9f", 2, []string{"ab", "\xf0\x9f"}},
		{"begins inside one", "\x98\x80a", 1, []string{"\x98", "\x80", "a"}},
		{"broken sequence", "\xf0\x9fab", 2, []string{"\xf0\x9fab"}},
		{"invalid UTF-8 only", "\xff\xff\xff", 1, []string{"\xff", "\xff", "\xff"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readText(strings.NewReader(tt.text), tt.size)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTextKeepsRunes checks that every delta of valid text is valid UTF-8, whatever the reads
// return.
func TestTextKeepsRunes(t *testing.T) {
	const text = "añ–€😀 </tool> \u2028 日本語"
	for _, size := range []int{1, 2, 3, 5, 7, 4096} {
		for name, r := range map[string]io.Reader{
			"whole":            strings.NewReader(text),
			"one byte":         iotest.OneByteReader(strings.NewReader(text)),
			"half":             iotest.HalfReader(strings.NewReader(text)),
			"data with an EOF": iotest.DataErrReader(strings.NewReader(text)),
		} {
			got, err := readText(r, size)
			if err != nil || strings.Join(got, "") != text {
				t.Errorf("%s, %d bytes: %q, %v", name, size, got, err)
			}
			if i := slices.IndexFunc(got, func(s string) bool { return !utf8.ValidString(s) }); i >= 0 {
				t.Errorf("%s, %d bytes: %q cuts a sequence", name, size, got[i])
			}
		}
	}
}

// stutter returns no bytes so many times before each read of its reader.
type stutter struct {
	r     io.Reader
	times int
	n     int
}

func (s *stutter) Read(b []byte) (int, error) {
	if s.n < s.times {
		s.n++
		return 0, nil
	}
	s.n = 0
	return s.r.Read(b)
}

func TestTextErrors(t *testing.T) {
	broken := errors.New("the line broke")
	for _, tt := range []struct {
		name   string
		reader io.Reader
		text   string
		want   error
	}{
		{"an error comes last", io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), "abc", broken},
		{"kept bytes come before the error", io.MultiReader(strings.NewReader("a\xc3"), iotest.ErrReader(broken)), "a\xc3", broken},
		{"a read error is not the end of the input", io.MultiReader(strings.NewReader("a"), iotest.ErrReader(io.ErrUnexpectedEOF)), "a", io.ErrUnexpectedEOF},
		{"reads without bytes", &stutter{r: strings.NewReader("abc"), times: 99}, "abc", nil},
		{"too many reads without bytes", &stutter{r: strings.NewReader("abc"), times: 100}, "", io.ErrNoProgress},
		{"too many reads without bytes, after part of a character", io.MultiReader(strings.NewReader("a\xc3"), &stutter{r: strings.NewReader(""), times: 100}), "a\xc3", io.ErrNoProgress},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readText(tt.reader, 16)
			if text := strings.Join(got, ""); text != tt.text || !errors.Is(err, tt.want) {
				t.Errorf("%q, %v; want %q, %v", text, err, tt.text, tt.want)
			}
		})
	}
}

func TestTextStops(t *testing.T) {
	r := strings.NewReader("abcdef")
	for range format.NewStream(r, format.Options{Wire: format.Text, ChunkBytes: 2}).Deltas() {
		break
	}
	if r.Len() != 4 {
		t.Errorf("%d bytes are left, want 4: the iterator must not read ahead", r.Len())
	}
}
