package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

func assistant(parts ...chat.Part) chat.Message {
	return chat.Message{Role: chat.Assistant, Parts: parts}
}

func result(id, name string) chat.Message {
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: id, Name: name}}}}
}

// ids returns the ids of the calls and results, in order.
func ids(messages []chat.Message) []string {
	var out []string
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p.Kind {
			case chat.PartCall:
				out = append(out, "call "+p.Call.Name+" "+p.Call.ID)
			case chat.PartResult:
				out = append(out, "result "+p.Result.Name+" "+p.Result.CallID)
			}
		}
	}
	return out
}

func TestLink(t *testing.T) {
	f0, g1, f2 := wire.MakeID("", 0, "f"), wire.MakeID("", 1, "g"), wire.MakeID("", 2, "f")
	tests := []struct {
		name string
		in   []chat.Message
		want []string
	}{
		{
			"ids of the source stay",
			[]chat.Message{assistant(chat.CallPart("a", "f", "{}")), result("a", "")},
			[]string{"call f a", "result f a"},
		},
		{
			"ids repeated by the source in later turns",
			[]chat.Message{
				assistant(chat.CallPart("c0", "f", "{}"), chat.CallPart("c1", "g", "{}")), result("c1", ""), result("c0", ""),
				assistant(chat.CallPart("c0", "h", "{}")), result("c0", ""),
				assistant(chat.CallPart("c0", "i", "{}")), result("c0", ""),
			},
			[]string{"call f c0", "call g c1", "result g c1", "result f c0", "call h c0_2", "result h c0_2", "call i c0_3", "result i c0_3"},
		},
		{
			"made ids do not meet given ones",
			[]chat.Message{assistant(chat.CallPart("a", "f", "")), assistant(chat.CallPart("a_2", "g", "")), assistant(chat.CallPart("a", "h", ""))},
			[]string{"call f a", "call g a_2", "call h a_3"},
		},
		{
			"results without ids go by name, and else by order",
			[]chat.Message{
				assistant(chat.CallPart("", "f", ""), chat.CallPart("", "g", ""), chat.CallPart("", "f", "")),
				result("", "g"), result("", "f"), result("", ""),
			},
			[]string{"call f " + f0, "call g " + g1, "call f " + f2, "result g " + g1, "result f " + f0, "result f " + f2},
		},
		{
			"two calls with one id in a turn",
			[]chat.Message{assistant(chat.CallPart("a", "f", ""), chat.CallPart("a", "g", "")), result("a", ""), result("a", "")},
			[]string{"call f a", "call g a_2", "result f a", "result g a_2"},
		},
		{"a result of nothing", []chat.Message{result("x", "f")}, []string{"result f x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := ids(tt.in)
			if diff := cmp.Diff(tt.want, ids(wire.Link(tt.in))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, ids(tt.in)); diff != "" {
				t.Errorf("the messages were changed:\n%s", diff)
			}
		})
	}
}

// A growing history keeps its ids, and no two calls share one.
func TestLinkIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var history []chat.Message
		for range rapid.IntRange(0, 12).Draw(t, "messages") {
			id := rapid.SampledFrom([]string{"", "a", "b", "a_2", "call_0"}).Draw(t, "id")
			name := rapid.SampledFrom([]string{"f", "g"}).Draw(t, "name")
			if rapid.Bool().Draw(t, "call") {
				history = append(history, assistant(chat.CallPart(id, name, "{}")))
			} else {
				history = append(history, result(id, name))
			}
		}
		all := ids(wire.Link(history))
		for n := range history {
			if diff := cmp.Diff(all[:n], ids(wire.Link(history[:n])), cmp.Comparer(func(a, b []string) bool {
				return len(a) == 0 && len(b) == 0 || cmp.Equal(a, b, cmp.Options{})
			})); diff != "" && n > 0 {
				t.Fatalf("the first %d (-all +first):\n%s", n, diff)
			}
		}
		seen := map[string]bool{}
		for _, m := range wire.Link(history) {
			for _, p := range m.Parts {
				if p.Kind == chat.PartCall {
					if p.Call.ID == "" || seen[p.Call.ID] {
						t.Fatalf("id %q twice", p.Call.ID)
					}
					seen[p.Call.ID] = true
				}
			}
		}
	})
}

func TestRenames(t *testing.T) {
	rules := []wire.Rule{
		{Max: 40, AnyChars: true}, {Min: 9, Max: 9}, {OtherChars: "_-"}, {Max: 64, OtherChars: "_-"}, {Max: 64, OtherChars: "_.:-", FirstChars: "_"},
	}
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(rules).Draw(t, "rule")
		r := wire.NewRenames(rule)
		again := wire.NewRenames(rule)
		sources := rapid.SliceOfN(rapid.OneOf(
			rapid.StringMatching(`[a-c.:_-]{1,3}`), rapid.StringMatching(`[A-Za-z0-9]{9}`), rapid.StringN(1, 90, 300),
		), 1, 20).Draw(t, "sources")
		given := map[string]string{}
		for _, source := range sources {
			name, changed := r.Rename(source)
			if changed != (name != source) {
				t.Fatalf("%q to %q: changed is %v", source, name, changed)
			}
			if other, ok := given[name]; ok && other != source {
				t.Fatalf("%q and %q are both %q", source, other, name)
			}
			given[name] = source
			if r.Source(name) != source {
				t.Fatalf("%q comes back as %q", source, r.Source(name))
			}
			if len(name) < rule.Min || rule.Max > 0 && len(name) > rule.Max || name == "" {
				t.Fatalf("%q has %d bytes", name, len(name))
			}
			for i := 0; i < len(name) && !rule.AnyChars; i++ {
				if c := name[i]; !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9') && !contains(rule.OtherChars, c) {
					t.Fatalf("%q has %q", name, c)
				}
			}
			if same, _ := again.Rename(source); same != name {
				t.Fatalf("%q is %q, then %q", source, name, same)
			}
		}
	})
}

func contains(s string, c byte) bool {
	for i := range len(s) {
		if s[i] == c {
			return true
		}
	}
	return false
}

func TestRenameFirstCharacter(t *testing.T) {
	r := wire.NewRenames(wire.Rule{Max: 64, OtherChars: "_.:-", FirstChars: "_"})
	if name, _ := r.Rename("7zip"); name[0] != '_' {
		t.Errorf("%q", name)
	}
}
