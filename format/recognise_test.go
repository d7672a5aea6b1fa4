package format

import (
	"strconv"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/envelope"
)

// An answer that ends early is recognised by each of the beginnings that its wire states,
// whatever other members stand around the signs, and by nothing less.
func TestRecogniseEveryBeginning(t *testing.T) {
	values := map[envelope.Form]string{
		envelope.AnyForm: "1", envelope.Object: "{}", envelope.List: "[]", envelope.Objects: "[{}]", envelope.Text: `"a"`,
	}
	guessed := func(signs envelope.Beginning) Wire {
		text := `{"novelty":[{}]`
		for _, sign := range signs {
			value := values[sign.Form]
			if sign.Word != "" {
				value = strconv.Quote(sign.Word)
			}
			text += "," + strconv.Quote(sign.Member) + ":" + value + `,"x_` + sign.Member + `":{"choices":[{}]}`
		}
		wire, err := NewStream(strings.NewReader(text), Options{}).Wire()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return wire
	}
	for _, row := range wires {
		if len(row.marks.Begins) == 0 {
			t.Errorf("%s states no beginning", row.name)
		}
		for _, signs := range row.marks.Begins {
			if got := guessed(signs); got != row.name {
				t.Errorf("%s: %v is taken for %s", row.name, signs, got)
			}
			for i := range signs {
				if got := guessed(append(signs[:i:i], signs[i+1:]...)); got != Text {
					t.Errorf("%s: %v without sign %d is taken for %s", row.name, signs, i, got)
				}
			}
		}
	}
	if outlined("novelty") {
		t.Error("an outline records members that decide nothing")
	}
}
