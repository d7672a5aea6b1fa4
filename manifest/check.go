package manifest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/format/text"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Check tells what is wrong with tools, or with the choice among them, before anything
// is written for the dialect and the provider of opts: [New] gives the same errors, and
// so does package grammar. They name the tool, and the place in its schema.
func Check(defs []Definition, opts Options) error {
	_, err := checked(defs, &opts)
	return err
}

// checked readies the tools of a manifest. The options get a dialect where they have none.
func checked(defs []Definition, opts *Options) ([]*tool, error) {
	if opts.Dialect == nil {
		var err error
		if opts.Dialect, err = ForProvider(opts.Provider, ""); err != nil {
			return nil, err
		}
	}
	tools, err := newTools(defs)
	if err != nil {
		return nil, err
	}
	if err := applyChoice(tools, opts.Choice); err != nil {
		return nil, err
	}
	if opts.Dialect.Head.Form == "" {
		return tools, nil
	}
	for _, t := range tools {
		if err := checkName(t.Name, opts.Dialect); err != nil {
			return nil, err
		}
		if err := t.checkNoNames(opts.Dialect); err != nil {
			return nil, err
		}
	}
	c := composer{dialect: opts.Dialect, opts: opts, tools: tools}
	return tools, c.checkMarkup()
}

// checkNoNames refuses a parameter without a name where the dialect has no way to
// write one.
func (t *tool) checkNoNames(d *parser.Dialect) error {
	at, top := nameless(t.doc.root, "")
	if at == "" || Writable(d, t.Name, "", top) == nil {
		return nil
	}
	return fmt.Errorf("tool %q: schema: at %s: the parameter has no name, which %s cannot write", t.Name, at, d.Name)
}

// nameless finds a member without a name that a schema declares: its place, and
// whether it is a parameter of its own.
func nameless(n *node, at string) (place string, top bool) {
	for i, key := range n.Keys {
		v := n.List[i]
		if key == "properties" && v.Get("") != nil {
			return at + "/properties/", at == ""
		}
		if slices.Contains(valueKeywords, key) {
			continue
		}
		if place, _ := nameless(v, at+"/"+jsonvalue.EscapePointer(key)); place != "" {
			return place, false
		}
	}
	if n.Is(jsonvalue.Array) {
		for i, v := range n.List {
			if place, _ := nameless(v, fmt.Sprint(at, "/", i)); place != "" {
				return place, false
			}
		}
	}
	return "", false
}

// Writable tells why a tool's parameter of a name, or with top false a member of an
// object in one, cannot be written in a dialect. It asks by a call that has no other
// parameter: that a tool such as write_file needs others says nothing of this one.
func Writable(d *parser.Dialect, tool, name string, top bool) error {
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
