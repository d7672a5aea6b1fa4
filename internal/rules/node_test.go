package rules

import "testing"

// TestInward checks that rules follow those that they refer to, so that one pass finds which
// of them end, however long their chain is.
func TestInward(t *testing.T) {
	const n = 2000
	chain := make([]*Rule, n)
	for i := range chain {
		chain[i] = &Rule{Body: Text("x")}
	}
	for i := n - 2; i >= 0; i-- {
		chain[i].Body = Alt(Seq(Text("a"), Call(chain[i+1])), Seq(Call(chain[0]), Text("b")))
	}
	for i, r := range inward(chain[0]) {
		if r != chain[n-1-i] {
			t.Fatalf("rule %d comes at %d", n-1-i, i)
		}
	}
}
