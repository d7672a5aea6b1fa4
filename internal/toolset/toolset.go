// Package toolset checks the tools for a dialect, before a prompt shows them or a grammar
// allows calls of them.
package toolset

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// Tool is a tool whose schema has been read.
type Tool struct {
	toolcall.ToolDefinition
	Root     *jsonvalue.Value // of the schema; an empty object if there is none
	Document *schema.Document // the schema, to be read in parts
	Schema   *schema.Schema   // nil allows everything
}

// Read reads the schemas of tools. It returns an error if one is not valid, which names the
// tool and the place in its schema.
func Read(tools []toolcall.ToolDefinition) ([]*Tool, error) {
	list := make([]*Tool, len(tools))
	for i, t := range tools {
		var err error
		if list[i], err = read(t); err != nil {
			return nil, fmt.Errorf("tool %q: %w", t.Name, err)
		}
	}
	return list, nil
}

func read(def toolcall.ToolDefinition) (*Tool, error) {
	raw := def.Parameters
	if len(raw) == 0 {
		raw = json.RawMessage(`{}`)
	}
	root, err := jsonvalue.Parse(raw)
	if err != nil {
		if !json.Valid(raw) {
			return nil, errors.New("its schema is not valid JSON")
		}
		return nil, &schema.Error{Err: err}
	}
	if err := schema.CheckValue(root); err != nil {
		return nil, err
	}
	t := &Tool{ToolDefinition: def, Root: root, Document: schema.NewDocument(root)}
	if !root.Is(jsonvalue.Null) && !root.IsTrue() {
		t.Schema, err = t.Document.Part(root)
	}
	return t, err
}

// Check returns an error if these tools, or the choice among them, cannot be taught in a
// dialect. The error names the tool and the place in its schema.
func Check(d *dialect.Dialect, tools []*Tool, choice chat.ToolChoice) error {
	names := make([]string, len(tools))
	declared := make(map[string]bool, len(tools))
	for i, t := range tools {
		if declared[t.Name] {
			return fmt.Errorf("tool %q is declared twice", t.Name)
		}
		names[i], declared[t.Name] = t.Name, true
		if object, _ := t.Schema.AllowsContainer(); !object && !t.Schema.Untyped() {
			return fmt.Errorf("tool %q: schema: at /type: arguments are an object, but the schema allows no object", t.Name)
		}
	}
	if err := checkChoice(names, choice); err != nil || d.Head.Form == "" {
		return err
	}
	p := newProbe(d, names)
	for _, name := range names {
		if err := p.checkName(name); err != nil {
			return fmt.Errorf("tool %q: name: %w", name, err)
		}
	}
	return nil
}

func checkChoice(tools []string, choice chat.ToolChoice) error {
	if choice.Mode > chat.ChoiceOne {
		return fmt.Errorf("tool choice: unknown mode %d", choice.Mode)
	}
	if choice.Mode == chat.ChoiceOne && len(choice.Tools) != 1 {
		return fmt.Errorf("tool choice: expected the name of one tool, got %d: %q", len(choice.Tools), choice.Tools)
	}
	for _, name := range choice.Tools {
		if !slices.Contains(tools, name) {
			hint := ""
			if guess := near.Names(name, tools, 1); len(guess) > 0 {
				hint = fmt.Sprintf("; did you mean %q?", guess[0])
			}
			return fmt.Errorf("tool choice: unknown tool %q%s", name, hint)
		}
	}
	return nil
}

// reservedNames are words of a tool choice.
var reservedNames = []string{"auto", "none", "required", "any"}

// pythonKeywords cannot be names of functions.
var pythonKeywords = strings.Fields(`False None True and as assert async await break class continue def del elif else
	except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

// probe tries the names of tools in a dialect.
type probe struct {
	d       *dialect.Dialect
	calls   *text.Writer // of tools with these names and one parameter, or nil
	results *text.Writer // or nil
}

func newProbe(d *dialect.Dialect, names []string) *probe {
	const parameters = `{"type":"object","properties":{"x":{"type":"string"}}}`
	p := &probe{d: d}
	s, err := schema.Compile([]byte(parameters))
	if err != nil { // it is a schema
		return p
	}
	tools, schemas := make([]toolcall.ToolDefinition, len(names)), make(map[string]*schema.Schema, len(names))
	for i, name := range names {
		tools[i], schemas[name] = toolcall.ToolDefinition{Name: name, Parameters: []byte(parameters)}, s
	}
	p.calls, _ = text.NewWriter(d, text.Options{Tools: tools, Schemas: schemas})
	p.results, _ = text.NewWriter(d, text.Options{})
	return p
}

// checkName returns an error for a name that a prompt cannot show, or that the dialect cannot
// write and read back.
func (p *probe) checkName(name string) error {
	d := p.d
	if slices.Contains(reservedNames, name) {
		return errors.New("the name is reserved for the tool choice")
	}
	if d.Args.Form == dialect.ArgsPython && slices.Contains(pythonKeywords, name) {
		return fmt.Errorf("it is a reserved word of Python, the syntax of calls in %s", d.Name)
	}
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.ContainsFunc(name, unprintable) || !utf8.ValidString(name) {
		return errors.New("a prompt cannot show a character that is not printable")
	}
	if !p.canCall(name) { // alone it may be possible, and the error says why not
		if err := CheckParameter(d, name, "x", true); err != nil && CheckParameter(d, "get_weather", "x", true) == nil {
			return fmt.Errorf("%s cannot express it: %w", d.Name, err)
		}
	}
	if p.results == nil {
		return nil // nor can the dialect write any result
	}
	_, err := p.results.AppendResults(nil, text.Result{Name: name, CallID: ResultID(&d.Head, name, "", 0), Content: "x"})
	return err
}

func (p *probe) canCall(name string) bool {
	if p.calls == nil {
		return false
	}
	_, err := p.calls.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{{Name: name, Arguments: []byte(`{"x":"y"}`)}}})
	return err == nil
}

// CheckParameter returns an error if a dialect cannot write a tool's parameter of this name,
// or, if top is false, a member of an object in a parameter. It tries a call without other
// parameters; that a tool such as write_file requires others does not matter.
func CheckParameter(d *dialect.Dialect, tool, name string, top bool) error {
	key := jsonvalue.Quote(name)
	schema, args := `{"type":"object","properties":{`+key+`:{"type":"string"}}}`, `{`+key+`:"y"}`
	if !top {
		schema, args = `{"type":"object","properties":{"x":`+schema+`}}`, `{"x":`+args+`}`
	}
	def := toolcall.ToolDefinition{Name: tool, Parameters: []byte(schema)}
	w, err := text.NewWriter(d, text.Options{Tools: []toolcall.ToolDefinition{def}})
	if err == nil {
		_, err = w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{{Name: tool, Arguments: []byte(args)}}})
	}
	if e, ok := errors.AsType[*text.Error](err); ok && e.Read == toolcall.ReasonMissingContent {
		return nil
	}
	return err
}

// Result returns the result of a turn's first call, with this content, as a dialect writes it.
func Result(d *dialect.Dialect, tool, content string) (string, error) {
	w, err := text.NewWriter(d, text.Options{})
	if err != nil {
		return "", err
	}
	out, err := w.AppendResults(nil, text.Result{Name: tool, CallID: ResultID(&d.Head, tool, "", 0), Content: content})
	return string(out), err
}

// ResultID returns the id by which a result names its call. In a dialect that adds an index to
// names, that is the name with its index. Otherwise it is the id, or the place if id is "".
func ResultID(head *dialect.Head, name, id string, place int) string {
	if head.Form != dialect.HeadAttribute && head.Index != "" {
		full := head.Prefix + name + head.Index
		if rest, ok := strings.CutPrefix(id, full); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return id
		}
		return full + strconv.Itoa(place)
	}
	if id == "" {
		return strconv.Itoa(place)
	}
	return id
}
