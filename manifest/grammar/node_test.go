package grammar

import (
	"testing"

	"github.com/toolparse/toolparse/internal/syntax/all"
)

// TestInward checks that rules follow those that they refer to, so that one pass finds which
// of them end, however long their chain is.
func TestInward(t *testing.T) {
	const n = 2000
	chain := make([]*rule, n)
	for i := range chain {
		chain[i] = &rule{body: lit("x")}
	}
	for i := n - 2; i >= 0; i-- {
		chain[i].body = alt(seq(lit("a"), call(chain[i+1])), seq(call(chain[0]), lit("b")))
	}
	for i, r := range inward(chain[0]) {
		if r != chain[n-1-i] {
			t.Fatalf("rule %d comes at %d", n-1-i, i)
		}
	}
}

// TestGrammars fails on a syntax of arguments that has no grammar.
func TestGrammars(t *testing.T) {
	for a, s := range all.Syntaxes() {
		if grammars[s] == nil {
			t.Errorf("%+v has no grammar", a)
		}
	}
}
