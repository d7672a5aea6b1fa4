package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/manifest/internal/neutralize"
)

// harmless breaks markup in what tools say of themselves, so that the calls of a
// manifest are those of its examples, and its sections end where they should.
type harmless struct{ neutralizer *neutralize.Neutralizer }

// Where the texts of a tool stand, and where the tool does.
var (
	inLine = neutralize.Place{Before: "- ", After: ":\n"}
	inList = neutralize.Place{Before: heading, After: "\n"}
)

func (h harmless) text(s string) string { return h.neutralizer.Text(s, inLine) }

func (h harmless) json(raw []byte) []byte { return []byte(h.neutralizer.JSON(string(raw), inLine)) }

// harmless breaks the markers of the dialect, of the form that tools are shown in, and of
// fences, in which no call counts.
func (c *composer) harmless() harmless {
	if c.neutralizer == nil {
		s := c.style()
		also := append(neutralize.Tokens(s.open), neutralize.Tokens(s.close)...)
		also = append(also, neutralize.Tokens(s.markup())...)
		c.neutralizer = neutralize.New(c.dialect, neutralize.Options{Tools: c.definitions(), Also: append(also, strings.TrimSpace(heading), "```", "~~~")})
	}
	return harmless{c.neutralizer}
}

// markup is a tool in the form of a style, for the tags in it.
func (s *style) markup() string {
	if s.own {
		return ""
	}
	tools, err := newTools([]Definition{{Name: "x", Description: "x", Parameters: []byte(`{"type":"object","properties":{"x":{"type":"string","description":"x"}}}`)}})
	if err != nil { // it is a tool
		return ""
	}
	text, err := s.schema(tools[0], 1)
	if err != nil {
		return ""
	}
	return text
}

// body is a tool in the form of a style. What its texts would make a call of only next
// to each other is broken in the whole.
func (c *composer) body(s *style, t *tool, at int) (string, error) {
	if s.own {
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

// tool is a tool whose texts are harmless, for its form alone.
func (h harmless) tool(t *tool) (*tool, error) {
	root, err := parseNode(h.json([]byte(t.doc.root.Raw)))
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	shown := *t
	shown.Description, shown.quoted = h.text(t.Description), h.json([]byte(jsonvalue.Quote(t.Description)))
	shown.doc = documentOf(h.node(root, ""))
	return &shown, nil
}

// node is a value of a schema under a keyword. What types and references are called
// stays: they are looked up.
func (h harmless) node(n *node, keyword string) *node {
	switch n.Kind {
	case jsonvalue.String:
		switch keyword {
		case "type", "$ref", "$id", "$anchor":
			return n
		}
		return &node{Kind: jsonvalue.String, Raw: string(h.json([]byte(n.Raw))), Text: h.text(n.Text)}
	case jsonvalue.Object, jsonvalue.Array:
		shown := &node{Kind: n.Kind, Raw: n.Raw, Keys: slices.Clone(n.Keys), List: make([]*node, len(n.List))}
		for i, member := range n.List {
			if n.Kind == jsonvalue.Object {
				keyword = n.Keys[i]
				shown.Keys[i] = h.text(keyword)
			}
			shown.List[i] = h.node(member, keyword)
		}
		return shown
	}
	return n
}
