package grammar

import (
	"testing"

	"github.com/toolparse/toolparse/internal/rules"
)

// TestClassEscapes checks that every reader finds the same end of an escape, whatever follows
// it.
func TestClassEscapes(t *testing.T) {
	for _, test := range []struct {
		name string
		set  rules.Charset
		want string
	}{
		{"before a letter that is a digit", rules.Chars("\x1fBE"), `[\u001FBE]`},
		{"before a digit", rules.Chars("-0"), `[\u002D0]`},
		{"all but them", rules.AnyChar.Without(rules.Chars("BE")), `[^\u0000-\u0008\u000B-\u000C\u000E-\u001FBE\u007F]`},
		{"beyond ASCII", rules.Chars("\u2028a"), `[a\u2028]`},
		{"beyond four digits", rules.Chars("😀"), `[\U0001F600]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(appendClass(nil, test.set)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
	if got, want := string(appendLiteral(nil, "\x01f")), `"\u0001f"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
