package parser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestReadDialectBack checks that every built-in dialect stays the same if it is printed and
// read.
func TestReadDialectBack(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			data, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ReadDialect(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d, got, cmpopts.IgnoreUnexported(dialect.Dialect{}), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadDialectErrors(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{``, "truncated at byte 0"},
		{`[]`, "expected an object"},
		{`{"name":"x"`, "truncated"},
		{`{"name":1}`, "name cannot be a number"},
		{`{"name":"x","frame":{"call":"<c>"}}`, "frame.call cannot be a string"},
		{`{"name":"x","heads":{}}`, `unknown field "heads"`},
		{`{"name":"x"} {}`, "unexpected data after the object"},
		{`{"name":""}`, "name is empty"},
		{`{"name":"X"}`, "lower case"},
		{`{"name":"x","aliases":["y","json"]}`, "aliases[1]"},
		{`{"name":"x"}`, "head.form and args.form are missing"},
		{`{"name":"x","about":"mine","noise":["</s>"]}`, "head.form and args.form are missing"},
		{`{"name":"x","head":{"form":"literal"},"args":{"form":"odd"}}`, `args.form "odd" is unknown; the forms are gemma, json, pairs, python, raw, tags, yaml`},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs","key_mark":{"open":"<k>","close":"</k>"},"value_mark":{"open":"","close":"\n"}}}`,
			"args.value_mark.close consists of blanks only"},
		{`{"name":"x","frame":{"call":{"open":" \n","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"json"}}`, "frame.call.open consists of blanks only"},
		{`{"name":"x","frame":{"section":{"open":"[[CALLS ","close":" CALLS]]"},"call":{"open":"","close":")"}},"head":{"form":"literal","end":"("},"args":{"form":"python"}}`,
			"frame.section.close begins like the name of another call"},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"},"closers":[" "]},"head":{"form":"literal"},"args":{"form":"json"}}`, "frame.closers[0] is blank"},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs","key_mark":{"open":"<k>","close":"</k>"},"value_mark":{"open":"","close":"</c>"}}}`,
			"args.value_mark.close begins with frame.call.close"},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs","key_mark":{"open":"|","close":"="},"value_mark":{"open":"","close":"|"}}}`,
			"args.value_mark.close begins with args.key_mark.open"},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs","key_mark":{"open":"<k>","close":"="},"value_mark":{"open":"=","close":"</v>"}}}`,
			"args.key_mark.close begins with args.value_mark.open"},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs","key_mark":{"open":"<k>","close":"="},"value_mark":{"open":"","close":" ;"}}}`,
			"args.value_mark.close begins with blanks"},
		{`{"name":"x","head":{"form":"odd"},"args":{"form":"json"}}`, `head.form "odd" is unknown`},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs"}}`, "args.key_mark.open"},
		{`{"name":"x","frame":{"call":{"open":"<c>"}},"head":{"form":"envelope","name":["n"]},"args":{"form":"json"}}`, "args.keys"},
		{`{"name":"x","noise":[""]}`, "noise[0]"},
		{`{"name":"x","args":{"form":"tags","tag":"param"}}`, `args.tag can only be "arg"`},
		{`{"name":"x","frame":{"fold":true},"args":{"form":"json"}}`, "frame.fold needs args.form"},
		{`{"name":"x","written":{"prompt":"<assistant>"}}`, "written.prompt is not the beginning of a call"},
		{`{"name":"x","written":{"heads":["to={name}"]}}`, "written.heads[0] needs"},
		{`{"name":"x","show":{"form":"odd"}}`, `show.form "odd" is unknown`},
		{`{"name":"x","show":{"tools":{"open":"<tools>","close":"</tools>"}}}`, `show.form "" is unknown`},
		{`{"name":"x","show":{"form":"lines","tool":{"open":"tool: {about}","close":""},"param":"{name}"}}`, "show.tool does not contain the tool's {name}"},
		{`{"name":"x","show":{"form":"lines","tool":{"open":"{name}","close":""}}}`, "show.param must contain a parameter's {name}"},
		{`{"name":"x","show":{"form":"plain","param":"{name}"}}`, "show.param is for"},
		{`{"name":"x","show":{"form":"typescript","layout":{"types":"odd"}}}`, `show.layout.types "odd" is unknown`},
		{`{"name":"x","show":{"form":"typescript","layout":{"detailed":true}}}`, `unknown field "detailed"`},
	} {
		_, err := ReadDialect([]byte(test.in))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.in, err, test.want)
		}
	}
}

// TestReadDialectQuoted checks that a file may say args.quoted, as files of earlier versions do.
func TestReadDialectQuoted(t *testing.T) {
	const file = `{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal","end":"\n"},
		"args":{"form":"pairs","key_mark":{"open":"<k>","close":"</k>"},"value_mark":{"open":"<v>","close":"</v>"},"quoted":true}}`
	d, err := ReadDialect([]byte(file))
	if err != nil || !d.Args.QuotesStrings() {
		t.Errorf("%v, %v", d, err)
	}
}

// TestDialectBlanks checks that the blanks at the end of a marker before a value are written,
// and are not part of the value.
func TestDialectBlanks(t *testing.T) {
	d, err := ReadDialect([]byte(`{"name":"mine","frame":{"call":{"open":"@call ","close":"@end"}},"head":{"form":"literal","end":"\n"},
		"args":{"form":"pairs","key_mark":{"open":"%","close":"= "},"value_mark":{"open":"","close":";\n"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"@call f\n%city= Oslo;\n@end":   `{"city":"Oslo"}`,
		"@call f\n%city=Oslo;\n@end":    `{"city":"Oslo"}`,
		"@call f\n%city=  Oslo ;\n@end": `{"city":" Oslo "}`,
	} {
		for _, pieces := range [][]string{{text}, strings.Split(text, "")} {
			p, err := New(Options{Dialects: []*dialect.Dialect{d}})
			if err != nil {
				t.Fatal(err)
			}
			var events []toolcall.Event
			for _, piece := range pieces {
				events = p.Feed(events, piece)
			}
			var got string
			for _, e := range p.Close(events) {
				if e.Segment.IsCall() {
					got += e.Delta()
				}
			}
			if got != want {
				t.Errorf("%q in %d pieces: got %s, want %s", text, len(pieces), got, want)
			}
		}
	}
}

// TestDialectCopy checks that a copy of a built-in dialect is a dialect of its own, which New
// checks.
func TestDialectCopy(t *testing.T) {
	mine := *row("qwen3_coder")
	mine.Name = "mine"
	c, err := Compile(Options{Dialects: []*dialect.Dialect{&mine}})
	if err != nil {
		t.Fatal(err)
	}
	if name := c.dialects[0].compiled()[0].Name; name != "mine" {
		t.Errorf("the forms of the copy are those of %q", name)
	}
	mine.Noise = []string{""}
	if _, err := New(Options{Dialects: []*dialect.Dialect{&mine}}); err == nil {
		t.Error("the copy is not checked")
	}
}

// row returns the built-in dialect with a name, or panics.
func row(name string) *dialect.Dialect {
	named, err := dialect.Named(name, "")
	if err != nil {
		panic(err)
	}
	return named[0]
}
