package grammar_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/manifest/grammar"
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

// TestNumbers checks that a grammar matches a decimal exactly if that is within the bounds.
func TestNumbers(t *testing.T) {
	dialects, err := dialect.Named("functionary_v31", "")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		low, high, value := aDecimal(t, "low"), aDecimal(t, "high"), aDecimal(t, "value")
		inside := !strings.HasPrefix(value, "-") || rat(value).Sign() != 0 // -0 is not written
		for _, side := range []struct {
			key, limit string
			sign       int
		}{{"inimum", low, -1}, {"aximum", high, 1}} {
			switch rapid.IntRange(0, 2).Draw(t, side.key) {
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
		if got := newSampler(t, string(out)).accepts(`<function=f>{"v": ` + value + `}</function>`); got != inside {
			t.Fatalf("%s: %s is let through: %t", schema, value, got)
		}
	})
}
