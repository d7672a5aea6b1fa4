package grammar_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/toolcall"
)

// aDecimal draws a decimal near zero, written without an exponent.
func aDecimal(t *rapid.T, label string) string {
	text := fmt.Sprint(rapid.IntRange(-12, 12).Draw(t, label))
	if n := rapid.IntRange(0, 3).Draw(t, label+" places"); n > 0 {
		text += "." + fmt.Sprintf("%0*d", n, rapid.IntRange(0, []int{0, 9, 99, 999}[n]).Draw(t, label+" fraction"))
	}
	return text
}

func rat(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

// TestNumbers checks that a grammar matches a decimal if that is within the bounds, and otherwise
// only in the last unit before a bound.
func TestNumbers(t *testing.T) {
	dialects, err := dialect.Named("functionary_v31", "")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		low, high, value := aDecimal(t, "low"), aDecimal(t, "high"), aDecimal(t, "value")
		inside := true
		near := false // it is in the unit of a lower bound, or in that of an upper one that is not whole
		if strings.HasPrefix(value, "-") && rat(value).Sign() == 0 {
			t.Skip("-0")
		}
		for _, side := range []struct {
			key, limit string
			sign       int
		}{{"inimum", low, -1}, {"aximum", high, 1}} {
			limit := rat(side.limit)
			which := rapid.IntRange(0, 2).Draw(t, side.key)
			if gap := new(big.Rat).Sub(limit, rat(value)); which > 0 && gap.Abs(gap).Cmp(big.NewRat(1, 1)) < 0 && !(limit.IsInt() && (which == 1 || limit.Sign() == side.sign)) {
				near = true
			}
			switch which {
			case 1:
				words = append(words, `"m`+side.key+`":`+side.limit)
				inside = inside && rat(value).Cmp(rat(side.limit)) != side.sign
			case 2:
				words = append(words, `"exclusiveM`+side.key+`":`+side.limit)
				inside = inside && rat(value).Cmp(rat(side.limit)) == -side.sign
			}
		}
		if len(words) == 0 {
			t.Skip("no bounds")
		}
		schema := `{"type":"object","properties":{"v":{"type":"number",` + strings.Join(words, ",") + `}},"required":["v"]}`
		out, _, err := grammar.Write(dialects[0], grammar.GBNF, grammar.Options{Tools: []toolcall.ToolDefinition{define("f", schema)}})
		if err != nil {
			if !inside && (strings.Contains(err.Error(), "no finite arguments") || strings.Contains(err.Error(), "no value can fit")) {
				return
			}
			t.Fatalf("%s: %v", schema, err)
		}
		if got := newSampler(t, string(out)).accepts(`<function=f>{"v": ` + value + `}</function>`); got != inside && !(got && near) {
			t.Fatalf("%s: %s is let through: %t", schema, value, got)
		}
	})
}
