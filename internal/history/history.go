// Package history renders a conversation for a model without native tools. Calls become
// text in a dialect, as package internal/text writes them and a manifest teaches them;
// results become the next turn.
//
// Results of tools are not trusted: package internal/neutralize breaks everything in
// them that could begin a call, alone or together with its surroundings, or end the block
// around them.
package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/neutralize"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure a Renderer. The zero value is ready for use.
type Options struct {
	// Tools are the tools in the manifest.
	Tools []toolcall.ToolDefinition
	// Schemas are the parameters of Tools by name, as [parser.Compiled.Schemas] returns
	// them. Nil compiles them.
	Schemas map[string]*schema.Schema
	// MaxResult limits the bytes of a result; 0 means 64 KiB, a negative number no limit.
	MaxResult int
	// Texts remembers how turns of recent conversations were written. Nil remembers none.
	Texts *recent.Texts
}

const defaultMaxResult = 64 << 10

// Renderer renders conversations in one dialect. It is safe for concurrent use.
type Renderer struct {
	dialect *dialect.Dialect
	opts    Options
	writer  *text.Writer
	rules   *neutralize.Rules
	maker   uint64 // of what Options.Texts keeps
}

// New returns a renderer. It fails if the parameters of a tool are not a JSON Schema, if
// a tool is named like the markup around results, and if the dialect is invalid or has no
// calls in text.
func New(d *dialect.Dialect, o Options) (*Renderer, error) {
	w, err := text.NewWriter(d, text.Options{Tools: o.Tools, Schemas: o.Schemas})
	if err != nil {
		return nil, err
	}
	if d.Head.Form == "" {
		return nil, fmt.Errorf("history: dialect %s: calls are not written in its text", d.Name)
	}
	for _, t := range o.Tools {
		if marker := neutralize.Reserved(d, t.Name); marker != "" {
			return nil, fmt.Errorf("history: tool %q: name: dialect %s has the marker %s around results, which would be a call of the tool", t.Name, d.Name, marker)
		}
	}
	if o.MaxResult == 0 {
		o.MaxResult = defaultMaxResult
	}
	rules := neutralize.NewRules(d, neutralize.Options{Tools: o.Tools, Schemas: o.Schemas, Auto: true})
	return &Renderer{dialect: d, opts: o, writer: w, rules: rules, maker: o.Texts.NewMaker()}, nil
}

// Render returns the messages with calls and results as text. The results of a turn
// follow it as a user message, in the order of the calls, wherever they are. A user
// message after them is joined to it, because many models require alternating turns. If
// the template of the dialect's models has a turn for each result, each becomes a message
// of its own, and nothing is joined. A call without a result gets a text that says so,
// unless nothing follows it; a result without a call becomes text. The losses say what
// could not be expressed. Render does not change its argument.
func (r *Renderer) Render(messages []chat.Message) ([]chat.Message, []chat.Loss) {
	run := &rendering{
		Renderer: r, results: map[string][]*chat.Result{}, matched: map[*chat.Result]bool{},
		neutralizer: r.rules.New(),
	}
	messages = wire.Link(messages)
	known := map[string]bool{} // the ids of the calls so far
	for i, m := range messages {
		if m.Role == chat.User && !hasResults(m) {
			run.asked = i
		}
		for _, p := range m.Parts {
			switch {
			case p.Kind == chat.PartCall && p.Call != nil:
				known[p.Call.ID] = true
			case p.Kind == chat.PartResult && p.Result != nil && known[p.Result.CallID]:
				run.results[p.Result.CallID] = append(run.results[p.Result.CallID], p.Result)
			}
		}
	}
	for i, m := range messages {
		run.at = i
		switch {
		case m.Role == chat.Assistant:
			run.assistant(m, i == len(messages)-1)
		case hasResults(m):
			run.rest(m)
		default:
			run.add(m)
		}
	}
	return run.out, run.losses
}

func hasResults(m chat.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p chat.Part) bool { return p.Kind == chat.PartResult })
}

// rendering is the rendering of one conversation.
type rendering struct {
	*Renderer
	neutralizer *neutralize.Neutralizer
	results     map[string][]*chat.Result // results that were not written yet, by the id of the call
	matched     map[*chat.Result]bool
	out         []chat.Message
	losses      []chat.Loss
	asked       int  // index of the user's last message
	at          int  // index of the current message
	earlier     int  // number of calls written before it
	inResults   bool // the last message consists of results

	key []byte // memory for turnKey
}

// add appends a message.
func (r *rendering) add(m chat.Message) {
	if last := len(r.out) - 1; r.inResults && m.Role == chat.User && !r.dialect.Results.Alone {
		r.out[last].Parts = append(r.out[last].Parts, m.Parts...)
		r.out[last].Extras = m.Extras
		r.inResults = false
		return
	}
	r.out, r.inResults = append(r.out, m), false
}

// tell appends a text to the user message with the results.
func (r *rendering) tell(s string) { r.tellPart(chat.TextPart(s)) }

func (r *rendering) tellPart(p chat.Part) {
	if !r.inResults {
		r.out = append(r.out, chat.Message{Role: chat.User})
	}
	last := &r.out[len(r.out)-1]
	last.Parts = append(last.Parts, p)
	r.inResults = true
}

// neutral breaks the markup in a text that the model did not write.
func (r *rendering) neutral(s string) string {
	return r.neutralizer.Text(s, neutralize.Place{After: "\n"})
}

func (r *rendering) lose(reason, done string) {
	r.losses = append(r.losses, chat.Loss{Field: fmt.Sprintf("messages[%d]", r.at), Reason: reason, Action: done})
}

// loseExtras reports the extras of a part of the current message, which text cannot express.
func (r *rendering) loseExtras(part int, extras chat.Extras) {
	if len(extras) == 0 {
		return
	}
	var log features.Log
	log.ReportExtras(fmt.Sprintf("messages[%d].parts[%d]", r.at, part), extras)
	r.losses = append(r.losses, log.Losses...)
}

// assistant renders a turn of the model with the results of its calls.
func (r *rendering) assistant(m chat.Message, last bool) {
	turn := turn{last: last, earlier: r.earlier}
	var others []chat.Part
	for i, p := range m.Parts {
		if p.Kind != chat.PartOther {
			r.loseExtras(i, p.Extras)
		}
		switch {
		case p.Kind == chat.PartText || p.Kind == chat.PartRefusal:
			turn.text += p.Text
		case p.Kind == chat.PartReasoning:
			if r.keepsReasoning() {
				turn.reasoning += p.Text
			} else if p.Text != "" {
				r.losses = append(r.losses, chat.Loss{
					Field: fmt.Sprintf("messages[%d].parts[%d]", r.at, i), Reason: "the chat template of the models drops earlier reasoning", Action: "left out", Minor: true,
				})
			}
		case p.Kind == chat.PartCall && p.Call != nil:
			turn.calls = append(turn.calls, p.Call)
			turn.results = append(turn.results, r.take(p.Call))
		default:
			others = append(others, p)
		}
	}
	written := r.written(&turn)
	parts := others
	if written.text != "" {
		parts = append([]chat.Part{chat.TextPart(written.text)}, others...)
	}
	r.add(chat.Message{Role: m.Role, Parts: parts, Extras: m.Extras})
	r.earlier += written.calls
	for _, text := range written.results {
		r.inResults = r.inResults && !r.dialect.Results.Alone
		r.tell(text)
	}
	for _, text := range written.words {
		r.tell(text)
	}
}

// take returns the result of a call, or nil.
func (r *rendering) take(c *chat.Call) *chat.Result {
	list := r.results[c.ID]
	if len(list) == 0 {
		return nil
	}
	r.results[c.ID] = list[1:]
	r.matched[list[0]] = true
	return list[0]
}

// keepsReasoning reports whether the template keeps the reasoning of the message: most keep
// only that after the user's last message.
func (r *rendering) keepsReasoning() bool {
	keeps := r.dialect.Written.Keeps
	return keeps == dialect.KeepsAll || keeps == dialect.KeepsTurn && r.at > r.asked
}

// asCalls writes a turn with all calls as they are, if that is possible, as nearly always.
func (r *rendering) asCalls(m text.Message, calls []*chat.Call) (written string, ok bool) {
	for _, c := range calls {
		m.Calls = append(m.Calls, invocation(c))
	}
	out, err := r.writer.Append(nil, m)
	return string(out), err == nil
}

// invocation returns a call in the form for the writer.
func invocation(c *chat.Call) toolcall.ToolInvocation {
	inv := toolcall.ToolInvocation{Name: c.Name, CallID: plainID(c.ID), Arguments: json.RawMessage(c.Arguments)}
	if strings.TrimSpace(c.Arguments) == "" {
		inv.Arguments = json.RawMessage("{}")
	}
	return inv
}

// callable returns a call in the form for the writer, if it can write the call. A value
// without a type in the schema is written as text.
func (r *rendering) callable(c *chat.Call) (toolcall.ToolInvocation, bool) {
	inv := invocation(c)
	if !json.Valid(inv.Arguments) {
		r.lose(fmt.Sprintf("the arguments of a call of %s are not valid JSON", c.Name), "described in words")
		return inv, false
	}
	_, first := r.writer.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{inv}})
	if first == nil {
		return inv, true
	}
	for _, change := range []struct {
		of   func(json.RawMessage) (json.RawMessage, bool)
		what string
	}{{texts, "its values are written as text"}, {r.unmarked, "markers in its values are broken"}} {
		args, ok := change.of(inv.Arguments)
		if !ok {
			continue
		}
		changed := inv
		changed.Arguments = args
		if _, err := r.writer.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{changed}}); err == nil {
			r.lose(first.Error(), change.what)
			return changed, true
		}
	}
	r.lose(first.Error(), "the call is described in words")
	return inv, false
}

// plainID returns the call's id, or "" if the id contains markup.
func plainID(id string) string {
	for i := range len(id) {
		if !neutralize.IsName(id[i]) {
			return ""
		}
	}
	return id
}

// prose describes a call in words.
func (r *rendering) prose(c *chat.Call) string {
	if !json.Valid([]byte(c.Arguments)) {
		return "(A call of " + r.neutral(c.Name) + " was cut off before its arguments were complete. It did not run.)"
	}
	return "(Called " + r.neutral(c.Name) + " with " + r.neutral(c.Arguments) + ")"
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// checked writes a turn with calls. If its text would be read as markup, or would hide the
// calls, it breaks the markup, or finally leaves out the text.
func (r *rendering) checked(m text.Message) string {
	out, err := r.writer.Append(nil, m)
	if err == nil {
		return string(out)
	}
	reason := err.Error()
	for _, change := range []func(string) string{
		r.neutral,
		func(s string) string { return strings.ReplaceAll(r.neutral(s), "```", "`\\``") },
		func(s string) string { return neutralize.Everywhere(strings.ReplaceAll(r.neutral(s), "`", "'")) },
	} {
		changed := m
		changed.Text = change(m.Text)
		changed.Reasoning = change(m.Reasoning)
		if out, err = r.writer.Append(nil, changed); err == nil {
			r.lose(reason, "the markup in the text is broken up")
			return string(out)
		}
	}
	if m.Reasoning != "" {
		r.lose(reason, "the reasoning of the turn is left out")
		m.Reasoning = ""
		return r.checked(m)
	}
	r.lose(reason, "the text of the turn is left out")
	if out, err = r.writer.Append(nil, text.Message{Calls: m.Calls}); err == nil {
		return string(out)
	}
	r.lose(err.Error(), "the calls of the turn are described in words")
	var words []string
	for _, c := range m.Calls {
		words = append(words, r.prose(&chat.Call{Name: c.Name, Arguments: string(c.Arguments)}))
	}
	return strings.Join(words, "\n")
}
