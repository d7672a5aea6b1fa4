package parser

import (
	"encoding/json"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// fileTool is a tool with a segment type of its own: the content of one parameter is the
// content of the segment, and the others are its metadata. Readers of events learn from the
// start event which parameter is the content.
type fileTool struct {
	dialect.FileTool
	schema  *schema.Schema // of the parameters, if the tool is not declared
	command bool           // the content is a command: a newline on each side is layout
	markers [2]string      // that may enclose the content, if any
}

// fileTools maps the names of these tools to what the parser knows about them.
var fileTools = func() map[string]*fileTool {
	tools := map[string]*fileTool{
		"write_file": {
			schema:  mustSchema(`{"properties":{"path":{"type":"string"},"content":{"type":"string"}}}`),
			markers: [2]string{"__START_CONTENT__", "__END_CONTENT__"},
		},
		"edit_file": {
			schema:  mustSchema(`{"properties":{"path":{"type":"string"},"patch":{"type":"string"}}}`),
			markers: [2]string{"__START_PATCH__", "__END_PATCH__"},
		},
		"run_bash": {
			schema:  mustSchema(`{"properties":{"command":{"type":"string"},"background":{"type":"boolean"},"timeout_seconds":{"type":"integer"}}}`),
			command: true,
		},
	}
	for _, tool := range dialect.FileTools {
		tools[tool.Tag].FileTool = tool
	}
	return tools
}()

func mustSchema(text string) *schema.Schema {
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		panic(err) // one of the constants is invalid
	}
	return s
}

// fileTool returns the file tool of a segment type in d: that of a tag of d's own, or a built-in
// one; nil if there is none.
func (d *compiledDialect) fileTool(segment string) *fileTool {
	for _, own := range d.Shorthands {
		if own.Tag == segment {
			return &fileTool{FileTool: own}
		}
	}
	return fileTools[segment]
}

// parameter returns the parameter that an attribute of the tool's tag sets. Attribute names
// fold case; parameter names do not.
func (s *fileTool) parameter(attribute []byte) string {
	for _, name := range s.Attrs {
		if lex.EqualFold(attribute, name) {
			return name
		}
	}
	if lex.EqualFold(attribute, s.Needs) {
		return s.Needs
	}
	return string(attribute)
}

// fileToolOf returns the built-in file tool with this name, which a call may belong to. s is
// the schema of the declared tool with the name, or nil. fileToolOf returns nil if a
// different tool is declared under the name: one without those parameters, or whose content
// need not be a string.
func fileToolOf(name string, s *schema.Schema) *fileTool {
	f := fileTools[name]
	if f != nil && s != nil {
		content := s.Property(f.Content)
		if !s.Declares(f.Content) || f.Needs != "" && !s.Declares(f.Needs) || content.Untyped() || !content.IsText() {
			return nil
		}
	}
	return f
}

// fits reports whether the declared tool that f stands for can take its content. A tool
// without declared parameters takes anything.
func (t tools) fits(f *fileTool) bool {
	s := t[f.Name()]
	return !s.Closed() || s.Declares(f.Content)
}

// undecided is the state of a call with the name of a file tool. The call gets a segment of
// its own if it has exactly that tool's parameters. Otherwise it is an ordinary call with
// the arguments that the model wrote. The members decide, at the latest at the end of the
// arguments. Until then the arguments are collected as JSON, and the start event waits.
type undecided struct {
	tool    *fileTool // nil: decided, or never in doubt
	needs   bool      // the parameter that the tool needs has occurred
	content bool      // its content occurred before the kind of the call was known
}

// BeginArgument handles the name of the next argument. A name that the tool does not declare makes
// the call an ordinary one.
func (c *call) BeginArgument(key string) {
	if c.may.tool != nil && !c.schema.Declares(key) {
		c.decidePlain()
	}
}

// IsContent reports whether an argument is, or may be, the content of the segment.
func (c *call) IsContent(key string) bool {
	return c.file != nil && key == c.file.Content || c.may.tool != nil && key == c.may.tool.Content
}

// IsCommand reports whether the content is, or may be, a command.
func (c *call) IsCommand() bool {
	return c.file != nil && c.file.command || c.may.tool != nil && c.may.tool.command
}

// Markers returns the markers that may enclose the content.
func (c *call) Markers() [2]string {
	switch {
	case c.file != nil:
		return c.file.markers
	case c.may.tool != nil:
		return c.may.tool.markers
	}
	return [2]string{}
}

// textBegins handles the beginning of a text that is the content; its name has been
// written. It reports whether the call is the file tool's now, so that the text is the
// segment's content.
func (c *call) textBegins() bool {
	f := c.may.tool
	return f != nil && (f.Needs == "" || c.may.needs) && c.decideFile()
}

// hasArgument handles a complete argument, written as JSON. It reports whether the call is
// the file tool's now.
func (c *call) hasArgument(key string) bool {
	f := c.may.tool
	if f == nil {
		return false
	}
	c.may.needs = c.may.needs || key == f.Needs
	c.may.content = c.may.content || key == f.Content
	return c.may.content && (c.may.needs || f.Needs == "") && c.decideFile()
}

// decidePlain makes the call an ordinary one.
func (c *call) decidePlain() {
	if c.may.tool != nil {
		c.may.tool = nil
		c.settleMeta()
	}
}

// decideFile makes the call the file tool's: the arguments so far become metadata and
// content. If that is impossible, it makes the call an ordinary one and returns false.
func (c *call) decideFile() bool {
	f := c.may.tool
	written := c.out.Take()
	members := c.writtenMembers(written)
	for _, m := range members {
		if m.name == f.Content && m.value != "" && m.value[0] != '"' ||
			m.name == f.Needs && (m.value == "" || m.value[0] != '"' || m.text() == "") {
			c.out.Add(written)
			c.decidePlain()
			return false
		}
	}
	c.may.tool, c.headerArgs = nil, ""
	c.asFile(f)
	content := false
	for _, m := range members {
		switch {
		case m.value == "": // not written yet
		case m.name != f.Content:
			c.SetMeta(m.name, m.value)
		case content:
			c.tolerances |= toolcall.DuplicateArgument
		default:
			content = true
			c.out.Add(m.text())
		}
	}
	c.settleMeta()
	return true
}

// writtenMembers returns the arguments from the call's header and those that have been
// written so far. An argument without its value yet has the value "".
func (c *call) writtenMembers(written string) []headerMember {
	members := decodeMembers(written + " ") // the blank ends a trailing number
	if c.headerArgs != "" {
		members = append(decodeMembers("{"+c.headerArgs+"}"), members...)
	}
	return members
}

// settle decides the kind of the call at the end of its arguments. If they are complete and
// exactly those that the file tool needs, the call is the file tool's.
func (c *call) settle(complete bool) {
	f := c.may.tool
	if f == nil {
		return
	}
	if complete {
		has := map[string]bool{}
		written := c.out.Take()
		c.out.Add(written)
		for _, m := range c.writtenMembers(written) {
			if !c.schema.Declares(m.name) {
				c.decidePlain()
				return
			}
			has[m.name] = true
		}
		if has[f.Content] && (f.Needs == "" || has[f.Needs]) && c.decideFile() {
			return
		}
	}
	c.decidePlain()
}
