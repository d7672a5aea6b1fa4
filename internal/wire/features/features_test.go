package features

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Every wire says of every feature what becomes of it, and why.
func TestTableIsWhole(t *testing.T) {
	for _, wire := range []string{"openai", "responses", "anthropic", "gemini", "ollama"} {
		known := map[Feature]bool{}
		for _, row := range features {
			f := row.Feature
			known[f] = true
			e, ok := Of(wire, f)
			if !ok {
				t.Errorf("%s says nothing of %q", wire, f)
				continue
			}
			if own, ok := wireOf(wire).features[f]; ok && own == row.defaults {
				t.Errorf("%s repeats what is usual of %q", wire, f)
			}
			if e.Outcome != Carried && (e.Reason == "" || e.Action == "") || e.Outcome == 0 {
				t.Errorf("%s: %q is %v without a reason or what is done", wire, f, e.Outcome)
			}
		}
		for f := range wireOf(wire).features {
			if !known[f] {
				t.Errorf("%s has an entry for %q, which the documentation does not list", wire, f)
			}
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	l := Log{Wire: "openai"}
	for range maxLosses * 2 {
		l.Add(ForeignExtra, "x")
	}
	if len(l.Losses) != maxLosses+1 {
		t.Errorf("%d losses", len(l.Losses))
	}
}

// What comes again and again in a stream is reported once.
func TestLogOnce(t *testing.T) {
	l := Log{Wire: "ollama"}
	for range 2 {
		for _, name := range []string{"a", "b"} {
			d := toolcall.Delta{Kind: toolcall.DeltaExtra, Name: name}
			if !l.ReportForeign("openai", d) || l.ReportForeign("ollama", d) {
				t.Error("an extra is of the wire that it is from")
			}
			l.ReportUnplaced(d)
		}
	}
	var got []string
	for _, loss := range l.Losses {
		got = append(got, loss.Field)
	}
	want := []string{"stream.a", "stream.a", "stream.b", "stream.b"} // another's, and its own that came late
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What says nothing is no loss, whatever wire it is of.
func TestNothingIsNoLoss(t *testing.T) {
	for name, values := range map[string][]string{
		"annotations":                         {"null", "[]", `""`},
		"usage.prompt_tokens_details.x_count": {"null", "0"},
		"usageMetadata.x_count":               {"0"},
	} {
		for _, value := range values {
			l := Log{Wire: "ollama"}
			if !l.ReportForeign("openai", toolcall.Delta{Kind: toolcall.DeltaExtra, Name: name, Text: value}) {
				t.Errorf("%s is not foreign", name)
			}
			l.ReportExtras("", chat.Extras{{Wire: "openai", Name: name, Value: json.RawMessage(value)}})
			if len(l.Losses) > 0 {
				t.Errorf("%s of %s: %v", name, value, l.Losses)
			}
		}
	}
	l := Log{Wire: "ollama"}
	l.ReportForeign("openai", toolcall.Delta{Name: "seed", Text: "0"})
	l.ReportExtras("", chat.Extras{{Wire: "openai", Name: "x", Value: json.RawMessage("{}")}})
	if len(l.Losses) != 2 {
		t.Errorf("%v", l.Losses)
	}
}
