package shellscript_test

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/toolparse/toolparse/internal/shellscript"
)

// TestParseNested: no nesting ends the program, even with the stack of 32 bits; what is too
// long or too nested is refused.
func TestParseNested(t *testing.T) {
	if !testing.Short() { // the race detector, too, takes stack
		defer debug.SetMaxStack(debug.SetMaxStack(250_000_000))
	}
	for _, tt := range []struct{ before, open, end string }{
		{"", "(", ")"}, {"", "$(", ")"}, {"", "{ ", "; }"}, {"", "if ", " then :; fi"}, {"echo ", "${a:-", "}"}, {"echo $((", "(", ")"}, {"echo $((", "-", ""},
		{"[[ ", "! ", ""}, {"[[ ", "(", ")"}, {"[[ ", "a||", ""}, {"", `"$(`, `)"`}, {"echo ", "<(", ")"}, {"echo $((", "a[", "]"}, {"echo ", "${a[", "]}"}, {"", "$((", "))"},
		{"", "time ", ""}, {"", "a()", ""}, {"", "while ", " do :; done"}, {"", "<<A $(", ""}, {"", "a|", ""}, {"", "a&&", ""}, {"", "`", ""},
	} {
		most := 100 << 10 / len(tt.open)
		if brackets := strings.Count(tt.open, "(") + strings.Count(tt.open, "["); brackets > 0 {
			most = min(most, 8000/brackets)
		}
		for _, n := range []int{most - 20, most * 2} { // just below the limits, and above
			if testing.Short() && n < most && tt.open != "(" {
				continue
			}
			for _, end := range []string{"", tt.end} { // open, and closed as far as there is room
				script := tt.before + strings.Repeat(tt.open, n) + "a" + strings.Repeat(end, n)
				f, err := shellscript.Parse(script, "")
				if err == nil {
					syntax.Walk(f, func(syntax.Node) bool { return true })
				}
				if large := n > most; large && !errors.Is(err, shellscript.ErrTooNested) {
					t.Errorf("%d times %q: %v", n, tt.open, err)
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	if f, err := shellscript.Parse("ls | grep $(id)\n", ""); err != nil || len(f.Stmts) != 1 {
		t.Errorf("%v, %v", f, err)
	}
	_, err := shellscript.Parse("ls\n(", "a.sh")
	if wrong, ok := errors.AsType[syntax.ParseError](err); !ok || wrong.Pos.Line() != 2 || wrong.Filename != "a.sh" {
		t.Errorf("%v", err)
	}
}
