package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/neutralize"
	"github.com/toolparse/toolparse/toolcall"
)

// harmless breaks the markup in names, descriptions and schemas of tools, so that a manifest
// contains no calls but those of its examples, and no section of it ends early.
type harmless struct{ neutralizer *neutralize.Neutralizer }

// The places of a tool's texts, and of the whole tool.
var (
	inLine = neutralize.Place{Before: "- ", After: ":\n"}
	inList = neutralize.Place{Before: heading, After: "\n"}
)

func (h harmless) text(s string) string { return h.neutralizer.Text(s, inLine) }

func (h harmless) json(raw []byte) []byte { return []byte(h.neutralizer.JSON(string(raw), inLine)) }

// harmless returns what breaks the markers of the dialect, of the form of the tools, and of
// code fences, because calls in code do not count.
func (c *composer) harmless() harmless {
	if c.neutralizer == nil {
		s := c.style()
		also := append(neutralize.Tokens(s.open), neutralize.Tokens(s.close)...)
		also = append(also, neutralize.Tokens(s.markup())...)
		c.neutralizer = neutralize.New(c.dialect, neutralize.Options{Tools: definitions(c.tools), Schemas: schemas(c.tools), Also: append(also, strings.TrimSpace(heading), "```", "~~~")})
	}
	return harmless{c.neutralizer}
}

// markup returns a sample tool in the form of the style, for the tags in it.
func (s *style) markup() string {
	if s.callers {
		return ""
	}
	tools, err := newTools([]toolcall.ToolDefinition{{Name: "x", Description: "x", Parameters: []byte(`{"type":"object","properties":{"x":{"type":"string","description":"x"}}}`)}})
	if err != nil { // it is a tool
		return ""
	}
	text, err := s.schema(tools[0], 1)
	if err != nil {
		return ""
	}
	return text
}

// body returns a tool in the form of a style. Besides the markup in its single texts, it
// breaks calls that arise from texts next to each other.
func (c *composer) body(s *style, t *tool, at int) (string, error) {
	if s.callers {
		return s.schema(t, at)
	}
	h := c.harmless()
	if !s.escapes {
		var err error
		if t, err = h.tool(t); err != nil {
			return "", err
		}
	}
	body, err := s.schema(t, at)
	if err != nil {
		return "", err
	}
	return h.neutralizer.Calls(body, inList), nil
}

// tool returns a copy of a tool with harmless texts, to be shown.
func (h harmless) tool(t *tool) (*tool, error) {
	root, err := parseNode(h.json([]byte(t.doc.root.Raw)))
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	safe, read := *t, *t.Tool
	safe.Tool, read.Description = &read, h.text(t.Description)
	safe.quoted = h.json([]byte(jsonvalue.Quote(t.Description)))
	safe.doc = documentOf(h.node(root, ""))
	return &safe, nil
}

// node returns a harmless copy of the value of a keyword in a schema. Names of types and
// references stay, because they are looked up.
func (h harmless) node(n *node, keyword string) *node {
	switch n.Kind {
	case jsonvalue.String:
		switch keyword {
		case "type", "$ref", "$id", "$anchor":
			return n
		}
		return &node{Kind: jsonvalue.String, Raw: string(h.json([]byte(n.Raw))), Text: h.text(n.Text)}
	case jsonvalue.Object, jsonvalue.Array:
		safe := &node{Kind: n.Kind, Raw: n.Raw, Keys: slices.Clone(n.Keys), List: make([]*node, len(n.List))}
		for i, member := range n.List {
			if n.Kind == jsonvalue.Object {
				keyword = n.Keys[i]
				safe.Keys[i] = h.text(keyword)
			}
			safe.List[i] = h.node(member, keyword)
		}
		return safe
	}
	return n
}
