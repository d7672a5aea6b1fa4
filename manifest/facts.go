package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// fact is a keyword of a schema that its type and its members do not show, with its
// value.
type fact struct {
	key   string
	value *node
	text  string // instead of a value: types or, without a key, a description
}

// shown are the keywords whose meaning is in the text of a type, or in the place of a
// description. What is declared for references alone means nothing by itself.
var shown = []string{
	"type", "nullable", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems",
	"additionalItems", "anyOf", "oneOf", "allOf", "$ref", "description", "title",
	"$defs", "definitions", "$schema", "$id", "$anchor", "$comment",
}

// annotations are keywords that restrict nothing, beside descriptions and defaults.
var annotations = []string{"examples", "example", "deprecated", "readOnly", "writeOnly"}

// choice is an anyOf or a oneOf.
type choice struct {
	key  string
	list []*node
}

// factsOf are those of a schema, and the choices that it leaves. References and allOf
// are followed.
func (d *document) factsOf(n *node) ([]fact, []choice, error) {
	r := factReader{doc: d, seen: map[string]bool{}}
	err := r.read(n, 0)
	return r.facts, r.choices, err
}

// rest is what the schema of a tool says of all arguments together, whose shape is s.
func (d *document) rest(s *shape, style typeStyle) ([]fact, error) {
	_, said, err := d.typeText(d.root, style)
	if err != nil {
		return nil, err
	}
	facts := said.facts
	if s.extra != nil {
		other, err := d.fullType(s.extra, style)
		if err != nil {
			return nil, err
		}
		facts = append(facts, fact{key: "others", text: other})
	}
	if s.about != "" && s.about != textOf(d.root, "title") && !style.brief {
		about := oneLine(s.about)
		facts = append(facts, fact{key: "description", value: jsonvalue.NewString(about)})
	}
	return facts, nil
}

type factReader struct {
	doc     *document
	facts   []fact
	choices []choice
	seen    map[string]bool
}

func (r *factReader) read(n *node, depth int) error {
	if r.doc.work--; r.doc.work < 0 || depth > maxFollowed {
		return errTooLarge
	}
	if !n.Is(jsonvalue.Object) {
		return nil
	}
	for i, key := range n.Keys {
		v := n.List[i]
		switch {
		case (key == "anyOf" || key == "oneOf") && len(v.List) > 0:
			r.choices = append(r.choices, choice{key, v.List})
		case key == "items" && v.IsFalse(), !slices.Contains(shown, key):
			r.add(fact{key: key, value: v})
		}
	}
	if to := r.doc.target(n); to != nil {
		if err := r.read(to, depth+1); err != nil {
			return err
		}
	}
	for _, part := range n.Get("allOf").Elements() {
		if err := r.read(part, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// add adds a fact that was not there already.
func (r *factReader) add(f fact) {
	if strings.Trim(f.key, wordBytes+"_$.0123456789") != "" { // it could not be told from markup
		f = fact{key: "also", text: jsonvalue.Quote(f.key) + ": " + compact(f.value)}
	}
	if text := f.String(); !r.seen[text] {
		r.seen[text] = true
		r.facts = append(r.facts, f)
	}
}

// String is the keyword and its value as JSON, but for strings of one plain word.
func (f fact) String() string {
	switch {
	case f.key == "":
		return f.text
	case f.text != "":
		return f.key + " " + f.text
	}
	return f.key + " " + plain(f.value)
}

// words is the value where markup stands around it: a string as it is.
func (f fact) words() string {
	if f.text != "" {
		return f.text
	}
	return wordsOf(f.value)
}

// plain is a value as JSON, but a string that is one word, and could be nothing else,
// without quotes.
func plain(v *node) string {
	if v.Is(jsonvalue.String) && v.Text != "" && strings.Trim(v.Text, wordBytes) == "" && !isLiteral(v.Text) {
		return v.Text
	}
	return compact(v)
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

func isLiteral(s string) bool { return s == "null" || s == "true" || s == "false" }

// joined are facts in one row.
func joined(facts []fact) string {
	list := make([]string, len(facts))
	for i, f := range facts {
		list[i] = f.String()
	}
	return strings.Join(list, ", ")
}
