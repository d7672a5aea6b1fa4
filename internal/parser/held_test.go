package parser

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// maxUnsure is the number of bytes, besides blanks, that a parser may hold back after a marker
// that no call continues: a head, the header of a message, a member of bare JSON.
const maxUnsure = maxMember + 256

// TestHeldBack checks that the parser does not wait for text that only begins like a call: it
// holds back little of a long run after any piece of a dialect's markup. It does wait for
// arguments that come before their name, and for a header that may contain them.
func TestHeldBack(t *testing.T) {
	check := func(name string, opts Options, pieces []string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts.Limits.BlankBytes = 64
			p, err := New(opts)
			if err != nil {
				t.Fatal(err)
			}
			for _, piece := range pieces {
				for _, run := range []string{"x", `k="v" `, "x y ", ">", "-", "é", "` x"} {
					p.Reset()
					text := piece + flood(run, 2*maxUnsure)
					p.Feed(nil, text)
					if p.call == nil && !(p.callReader != nil && p.stage == stage(&p.head)) && len(p.held) > maxUnsure+64 {
						t.Errorf("%d bytes of %.80q are held back", len(p.held), text)
					}
				}
			}
		})
	}
	for _, r := range readings[2:4] {
		check(r.name, r.opts(nil), allPieces())
	}
	for _, r := range readings[:2] {
		for _, d := range dialect.All() {
			check(r.name+" "+d.Name, r.opts(d), floodPieces(d))
		}
	}
}

// TestHeldForeignName checks that the parser does not hold back arguments to wait for a name
// that it has already read under a key of another dialect.
func TestHeldForeignName(t *testing.T) {
	for _, r := range readings[2:4] {
		for _, fence := range []string{"", "```json\n"} {
			for _, open := range []string{"{", "[{"} {
				for _, members := range []string{`"tool_name":"get_weather","arguments":`, `"id":"1","tool_name":"get_weather","parameters":`} {
					p, err := New(r.opts(nil))
					if err != nil {
						t.Fatal(err)
					}
					text := fence + open + members + `{"city":"` + strings.Repeat("x", 100)
					if p.Feed(nil, text); len(p.held) > 0 {
						t.Errorf("%s: %d bytes of %.80q are held back", r.name, len(p.held), text)
					}
				}
			}
		}
	}
}

// TestHeldLimit checks that the limit also bounds the searches for the end of a broken call,
// of a comment behind a call and of a run of noise.
func TestHeldLimit(t *testing.T) {
	const limit, slack = 64, 64 // one marker more
	for _, tt := range []struct{ dialect, text string }{
		{"json-gemini", `[{"name":"f","args":{"a":x`},
		{"mistral", `[TOOL_CALLS] [{"name":"f","arguments":{"a":x`},
		{"hermes", `<tool_call>{"name":"f","arguments":{"a":1 /* }}</tool_call>`},
		{"json-any", `{"name":"f","arguments":"{\"a\":\"b"{`},
		{"xlam", strings.Repeat("<|im_end|>", 40)},
	} {
		dialects, err := dialect.Named(tt.dialect, "")
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Options{Dialects: dialects, Limits: toolcall.Limits{HeldBytes: limit, BlankBytes: 1}})
		if err != nil {
			t.Fatal(err)
		}
		text := tt.text + flood(`, "k": "v"`, 2000)
		for i := range text {
			if p.Feed(nil, text[i:i+1]); len(p.held) > limit+slack {
				t.Fatalf("%s: %d bytes of %.80q are held back", tt.dialect, len(p.held), text)
			}
		}
	}
}
