package bytescan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// content draws texts that are plain, full of escapes, or ended by a byte that needs care.
func content(t *rapid.T) []byte {
	piece := rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 200), func(n int) string { return strings.Repeat("plain é", n)[:n] }),
		rapid.StringOfN(rapid.SampledFrom([]rune("ab \"\\\n\t/é")), 0, 20, -1),
		rapid.Map(rapid.StringOfN(rapid.SampledFrom([]rune(`"\/bfnrt`)), 0, 40, -1), func(s string) string {
			return string(bytes.Join(bytes.SplitAfter([]byte(s), nil), []byte(`\`)))
		}),
		rapid.SampledFrom([]string{`"`, `\`, `\u0041`, `\x`, "\x00", "\x1f", "\x7f", "\x80", "\xff"}),
	)
	return []byte(strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
}

// Escapes of two bytes and plain bytes are read up to the same place as byte by byte, or up to
// eight bytes less before the end.
func TestUnescape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := content(t)
		var want []byte
		end, slash := 0, -1 // slash is the first escaped one
		for end < len(data) {
			c := data[end]
			if c == '\\' && end+1 < len(data) && Meaning(data[end+1]) != 0 {
				if data[end+1] == '/' && slash < 0 {
					slash = end
				}
				want, end = append(want, Meaning(data[end+1])), end+2
			} else if c >= ' ' && c != '"' && c != '\\' {
				want, end = append(want, c), end+1
			} else {
				break
			}
		}

		got := EscapedEnd(data, 0)
		if got > end || got < end && got < len(data)-8 {
			t.Fatalf("EscapedEnd(%q) = %d, want %d", data, got, end)
		}
		if text := EscapedEnd(string(data), 0); text != got {
			t.Fatalf("EscapedEnd(%q) of a string = %d, of bytes %d", data, text, got)
		}
		if slash < 0 {
			slash = end
		}
		if got := SharedEnd(string(data), 0); got > slash || got < slash && got < len(data)-8 {
			t.Fatalf("SharedEnd(%q) = %d, want %d", data, got, slash)
		}

		room := rapid.IntRange(0, len(data)+200).Draw(t, "room")
		out, guard := guarded(room)
		wrote, read := Unescape(out, data)
		if wrote > len(want) || !bytes.Equal(out[:wrote], want[:wrote]) {
			t.Fatalf("Unescape(%q) = %q, want %q", data, out[:wrote], want)
		}
		if read > end || read < end && read <= len(data)-8 && wrote <= room-8 {
			t.Fatalf("Unescape(%q) read %d, want %d (room %d, wrote %d)", data, read, end, room, wrote)
		}
		if EscapedEnd(data[:read], 0) > read || len(want) == wrote && read != end && data[read] != '\\' {
			t.Fatalf("Unescape(%q) read %d of %d and wrote all", data, read, end)
		}
		guard(t)
	})
}

func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(content(t))
		var want []byte
		end := 0
		for ; end < len(s); end++ {
			if c := Letter(s[end]); c != 0 {
				want = append(want, '\\', c)
			} else if s[end] >= ' ' {
				want = append(want, s[end])
			} else {
				break
			}
		}
		room := rapid.IntRange(0, 2*len(s)+400).Draw(t, "room")
		out, guard := guarded(room)
		wrote, read := Escape(out, s)
		if wrote > len(want) || !bytes.Equal(out[:wrote], want[:wrote]) {
			t.Fatalf("Escape(%q) = %q, want %q", s, out[:wrote], want)
		}
		if read > end || read < end && read <= len(s)-8 && wrote <= room-16 {
			t.Fatalf("Escape(%q) read %d, want %d (room %d, wrote %d)", s, read, end, room, wrote)
		}
		guard(t)
	})
}

// guarded returns n bytes, and a function that fails if a byte behind them was written.
func guarded(n int) ([]byte, func(*rapid.T)) {
	const behind = 256
	all := bytes.Repeat([]byte{0xA5}, n+behind)
	return all[:n:n], func(t *rapid.T) {
		if bytes.Count(all[n:], []byte{0xA5}) != behind {
			t.Fatalf("bytes behind the %d of the room were written", n)
		}
	}
}

func TestIsUTF8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := content(t)
		want := utf8.Valid(data)
		if IsUTF8(data) != want || IsUTF8(string(data)) != want {
			t.Fatalf("%q is UTF-8: want %t", data, want)
		}
		ascii := bytes.IndexFunc(data, func(r rune) bool { return r >= 0x80 }) < 0
		if IsASCII(string(data)) != ascii {
			t.Fatalf("%q is ASCII: want %t", data, ascii)
		}
		if run := ASCIIRun(data); bytes.IndexFunc(data[:run], func(r rune) bool { return r > 0x7E }) >= 0 {
			t.Fatalf("ASCIIRun(%q) = %d", data, run)
		}
	})
}

// The lengths at which a block fits or does not.
func TestBlockLengths(t *testing.T) {
	for n := 1; n < 3*longRun; n++ {
		for _, at := range []int{0, n / 2, n - 1} {
			for _, c := range []struct {
				text  string
				ends  bool // a run of escapes
				ascii bool
			}{{"", false, true}, {`\n`, false, true}, {`"`, true, true}, {"\n", true, true}, {"\x80", false, false}} {
				s := strings.Repeat("a", at) + c.text + strings.Repeat("b", n-at)
				if got := IsASCII(s); got != c.ascii {
					t.Errorf("IsASCII of %d bytes with %q at %d: %t", n, c.text, at, got)
				}
				want := len(s)
				if c.ends {
					want = at
				}
				if got := EscapedEnd(s, 0); got != want && got < len(s)-8 {
					t.Errorf("EscapedEnd of %d bytes with %q at %d: %d, want %d", n, c.text, at, got, want)
				}
			}
		}
	}
}

var texts = []struct{ name, text string }{
	{"plain", strings.Repeat("the model reads a file and calls the tool ", 24)},
	{"prose", strings.Repeat("the model reads a file and calls the tool with what fits.\n", 17)},
	{"code", strings.Repeat("if x[\"fit\"] > 97:\n\treturn \"fit\\n\"\n", 30)},
}

// Eight bytes at a time are the same as one by one, from any offset.
func TestPlainEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]byte("aaaaaa !#[]\x7f\x80\xff")), rapid.Byte()), 0, 40).Draw(t, "p")
		from := rapid.IntRange(0, len(p)).Draw(t, "from")
		want := from
		for want < len(p) && p[want] >= ' ' && p[want] != '"' && p[want] != '\\' {
			want++
		}
		if got := PlainEnd(p, from); got != want {
			t.Fatalf("%q from %d: %d, want %d", p, from, got, want)
		}
	})
}

func BenchmarkEscape(b *testing.B) {
	for _, c := range texts {
		out := make([]byte, 3*len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				Escape(out, c.text)
			}
		})
	}
}

func BenchmarkUnescape(b *testing.B) {
	for _, c := range texts {
		data := fmt.Appendf(nil, "%q", c.text)[1:]
		out := make([]byte, 2*len(data))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				Unescape(out, data)
			}
		})
	}
}
