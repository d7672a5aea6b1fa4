package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/manifest/internal/neutral"
)

// harmless breaks markup in what tools say of themselves, so that the calls of a
// manifest are those of its examples, and its sections end where they should.
type harmless struct{ breaker *neutral.Breaker }

// Where the texts of a tool stand, and where the tool does.
var (
	inLine = neutral.Place{Before: "- ", After: ":\n"}
	inList = neutral.Place{Before: heading, After: "\n"}
)

func (h harmless) text(s string) string { return h.breaker.Text(s, inLine) }

func (h harmless) json(raw []byte) []byte { return []byte(h.breaker.JSON(string(raw), inLine)) }

// harmless breaks the markers of the dialect, of the form that tools are shown in, and of
// fences, in which no call counts.
func (c *composer) harmless() harmless {
	if c.breaker == nil {
		s := c.style()
		also := append(neutral.Tokens(s.open), neutral.Tokens(s.close)...)
		also = append(also, neutral.Tokens(s.markup())...)
		c.breaker = neutral.New(c.dialect, neutral.Options{Tools: c.definitions(), Also: append(also, strings.TrimSpace(heading), "```", "~~~")})
	}
	return harmless{c.breaker}
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
	return h.breaker.Calls(body, inList), nil
}

// tool is a tool whose texts are harmless, for its form alone.
func (h harmless) tool(t *tool) (*tool, error) {
	doc, err := newDocument(h.json(t.doc.root.raw))
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", t.Name, err)
	}
	doc.root = h.node(doc.root, "")
	shown := *t
	shown.Description, shown.quoted, shown.doc = h.text(t.Description), h.json(quote(t.Description)), doc
	return &shown, nil
}

// node is a value of a schema under a keyword. What types and references are called
// stays: they are looked up.
func (h harmless) node(n *node, keyword string) *node {
	switch n.kind() {
	case '"':
		if keyword == "type" || keyword == "$ref" {
			return n
		}
		return &node{raw: h.json(n.raw), text: h.text(n.text)}
	case '{', '[':
		shown := &node{raw: n.raw, keys: slices.Clone(n.keys), list: make([]*node, len(n.list))}
		for i, member := range n.list {
			if n.keys != nil {
				keyword = n.keys[i]
				shown.keys[i] = h.text(keyword)
			}
			shown.list[i] = h.node(member, keyword)
		}
		return shown
	}
	return n
}
