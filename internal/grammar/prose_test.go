package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/grammar"
)

// TestText checks that with Text a grammar allows text, then calls, and text alone unless a
// call is required. The beginning of a call must be followed by the rest of one.
func TestText(t *testing.T) {
	opts := tool(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)
	able := 0
	for i, d := range writable() {
		if i%24 != 0 { // the matcher is slow on text that goes on
			continue
		}
		alone, _, err := grammar.Write(d, grammar.GBNF, opts)
		if err != nil {
			t.Fatal(err)
		}
		with := opts
		with.Text = true
		out, _, err := grammar.Write(d, grammar.GBNF, with)
		if none, ok := errors.AsType[*grammar.FormatError](err); ok && strings.Contains(none.Reason, "no marker") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		able++
		calls := newSampler(t, string(alone)).sample(random(1))
		s := newSampler(t, string(out))
		for _, text := range []string{"", "No tool: 1 < 2, {a}.", calls, "I look.\n\n" + calls} {
			if !s.accepts(text) {
				t.Errorf("%s: the grammar refuses %q:\n%s", d.Name, text, out)
			}
		}
		if cut := "I look.\n\n" + calls[:len(calls)-3]; s.accepts(cut) {
			t.Errorf("%s: the grammar takes %q:\n%s", d.Name, cut, out)
		}
		with.Choice.Mode = chat.ChoiceRequired
		if out, _, err = grammar.Write(d, grammar.GBNF, with); err != nil {
			t.Fatal(err)
		}
		if s := newSampler(t, string(out)); s.accepts("I look.") || !s.accepts("I look.\n\n"+calls) {
			t.Errorf("%s: a call is not required by\n%s", d.Name, out)
		}
	}
	if able < 2 {
		t.Errorf("only %d dialects have such a grammar", able)
	}
}
