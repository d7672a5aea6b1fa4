package sniff

import (
	"strconv"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/envelope"
)

// An answer that ends early is recognised by each of the beginnings that its wire states,
// whatever other members stand around the signs, and by nothing less.
func TestRecogniseEveryBeginning(t *testing.T) {
	values := map[envelope.Form]string{
		envelope.AnyForm: "1", envelope.Object: "{}", envelope.List: "[]", envelope.Objects: "[{}]", envelope.Text: `"a"`,
	}
	guessed := func(signs envelope.Beginning) string {
		text := `{"novelty":[{}]`
		for _, sign := range signs {
			value := values[sign.Form]
			if sign.Word != "" {
				value = strconv.Quote(sign.Word)
			}
			text += "," + strconv.Quote(sign.Member) + ":" + value + `,"x_` + sign.Member + `":{"choices":[{}]}`
		}
		v := sniffWhole(text)
		if v.Err != nil {
			t.Fatalf("%s: %v", text, v.Err)
		}
		return v.Wire
	}
	for _, row := range all.Wires {
		if len(row.Marks.Begins) == 0 {
			t.Errorf("%s states no beginning", row.Name)
		}
		for _, signs := range row.Marks.Begins {
			if got := guessed(signs); got != row.Name {
				t.Errorf("%s: %v is taken for %s", row.Name, signs, got)
			}
			for i := range signs {
				if got := guessed(append(signs[:i:i], signs[i+1:]...)); got != all.Text {
					t.Errorf("%s: %v without sign %d is taken for %s", row.Name, signs, i, got)
				}
			}
		}
	}
	if outlined("novelty") {
		t.Error("an outline records members that decide nothing")
	}
}
