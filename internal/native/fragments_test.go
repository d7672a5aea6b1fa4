package native

import (
	"testing"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/toolcall"
)

// host takes calls as they are, with the declared tools that it lists.
type host map[string]bool

func (h host) Declares(name string) bool                          { return h[name] }
func (h host) Named(*Call[int]) *jsonstream.Arguments             { return &jsonstream.Arguments{} }
func (h host) Grown(*Call[int])                                   {}
func (h host) Ended(*Call[int], toolcall.Status, toolcall.Reason) {}

// call is what a test says about a call.
type call struct {
	index          int
	id, label      string
	complete, text bool // with ended calls: it ended well
	again          bool
}

// add adds a call to x.
func (k call) add(x *Calls[int]) *Call[int] {
	c := &Call[int]{Index: k.index, ID: k.id, Label: k.label, Named: true, Args: &jsonstream.Arguments{}, text: k.text, again: k.again}
	if k.complete {
		c.Args.Read("{}", 0)
	}
	x.Open = append(x.Open, c)
	return c
}

// A fragment belongs to the call with its index, else with its id, else to the last one.
func TestFragmentBelongsToCall(t *testing.T) {
	const none = toolcall.NoIndex
	a, b := call{id: "a", label: "f"}, call{index: 1, id: "b", label: "g"}
	whole, bare := call{id: "a", label: "f", complete: true}, call{index: none, label: "f"}
	for _, tt := range []struct {
		name  string
		open  []call
		ended []call // complete means that the call ended well
		tools host
		d     toolcall.Delta
		want  Place
		of    int // the call in open that it continues
	}{
		{name: "the first", d: toolcall.Delta{Index: 0, Name: "f"}, want: Begins},
		{name: "by its index", open: []call{a, b}, d: toolcall.Delta{Index: 0}, want: Continues},
		{name: "by its id", open: []call{a, b}, d: toolcall.Delta{Index: none, ID: "a"}, want: Continues},
		{name: "the last one", open: []call{a, b}, d: toolcall.Delta{Index: none, Text: "1"}, want: Continues, of: 1},
		{name: "another index", open: []call{a}, d: toolcall.Delta{Index: 1, Name: "g"}, want: Begins},
		{name: "another id at the index of an incomplete call", open: []call{a}, d: toolcall.Delta{Index: 0, ID: "x", Text: "1"}, want: Continues},
		{name: "another id at the index of a complete call", open: []call{whole}, d: toolcall.Delta{Index: 0, ID: "x"}, want: Begins},
		{name: "a name again, before arguments", open: []call{bare}, d: toolcall.Delta{Index: none, Name: "f"}, want: Continues},
		{name: "the name of another tool", open: []call{a}, tools: host{"f": true, "g": true}, d: toolcall.Delta{Index: 0, Name: "g"}, want: Begins},
		{name: "more of a name", open: []call{a}, tools: host{"f": true}, d: toolcall.Delta{Index: 0, Name: "g"}, want: Continues},
		{name: "a name again, after arguments", open: []call{{index: none, label: "f", text: true}}, d: toolcall.Delta{Index: none, Name: "f"}, want: Begins},
		{name: "nothing new of a call that has ended", ended: []call{whole}, d: toolcall.Delta{Index: 0, Text: " "}, want: Late},
		{name: "all arguments of a call that has ended", ended: []call{whole}, d: toolcall.Delta{Index: 0, Text: "{}", Whole: true}, want: Late},
		{name: "more arguments after a call", ended: []call{whole}, d: toolcall.Delta{Index: 0, Text: "{"}, want: Begins},
		{name: "more arguments after a broken call", ended: []call{a}, d: toolcall.Delta{Index: 0, Text: "{"}, want: Late},
		{name: "a name after a broken call", ended: []call{bare}, d: toolcall.Delta{Index: none, Name: "g"}, want: Begins},
		{name: "a name after a broken call that repeated its own", ended: []call{{index: none, label: "f", again: true}}, d: toolcall.Delta{Index: none, Name: "f"}, want: Late},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := Calls[int]{Host: tt.tools}
			for _, k := range tt.ended {
				c := k.add(&calls)
				if !k.complete {
					c.fail(toolcall.Malformed, toolcall.ReasonInvalidJSON)
				}
				calls.remove(c)
			}
			for _, k := range tt.open {
				k.add(&calls)
			}
			c, got := calls.Of(&tt.d)
			if got != tt.want {
				t.Fatalf("got %d, want %d", got, tt.want)
			}
			if got == Continues && c != calls.Open[tt.of] {
				t.Errorf("it continues %q", c.ID)
			}
			calls.Forget()
			if _, got := calls.Of(&tt.d); len(tt.ended) > 0 && got == Late && !tt.d.Whole && tt.d.Text != " " {
				t.Error("a forgotten call is remembered")
			}
		})
	}
}
