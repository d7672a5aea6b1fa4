package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// fact is a keyword of a schema with its value, unless the text of the type expresses it.
type fact struct {
	key   string
	value *node
	text  string // instead of a value: types or, without a key, a description
}

// visible lists the keywords that the text of a type or a description expresses, and those
// that mean nothing by themselves.
var visible = []string{
	"type", "nullable", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems",
	"additionalItems", "anyOf", "oneOf", "allOf", "$ref", "description", "title",
	"$defs", "definitions", "$schema", "$id", "$anchor", "$comment",
}

// annotations are the keywords that restrict nothing, besides descriptions and defaults.
var annotations = []string{"examples", "example", "deprecated", "readOnly", "writeOnly"}

// factsOf returns the facts of a shape, each once.
func factsOf(s *schema.Shape) []fact {
	var facts []fact
	seen := map[string]bool{}
	for _, k := range s.Keywords {
		if slices.Contains(visible, k.Name) && !(k.Name == "items" && k.Value.IsFalse()) {
			continue
		}
		f := fact{key: k.Name, value: k.Value}
		if strings.Trim(f.key, wordBytes+"_$.0123456789") != "" { // it could be read as markup
			f = fact{key: "also", text: jsonvalue.Quote(f.key) + ": " + compact(f.value)}
		}
		if text := f.String(); !seen[text] {
			seen[text] = true
			facts = append(facts, f)
		}
	}
	return facts
}

// rest returns what a tool's schema says about all arguments together. s is their shape.
func (d *document) rest(s *schema.Shape, how detail) ([]fact, error) {
	_, notes, err := d.typeText(d.root, how)
	if err != nil {
		return nil, err
	}
	facts := notes.facts
	if extra := extraOf(s); extra != nil {
		other, err := d.fullType(extra, how)
		if err != nil {
			return nil, err
		}
		facts = append(facts, fact{key: "others", text: other})
	}
	if s.Description != "" && how == inFull {
		facts = append(facts, fact{key: "description", value: jsonvalue.NewString(oneLine(s.Description))})
	}
	return facts, nil
}

// String returns the keyword and its value as JSON, or as a plain word.
func (f fact) String() string {
	switch {
	case f.key == "":
		return f.text
	case f.text != "":
		return f.key + " " + f.text
	}
	return f.key + " " + plain(f.value)
}

// words returns the value for a place between markup: a string without quotes.
func (f fact) words() string {
	if f.text != "" {
		return f.text
	}
	return wordsOf(f.value)
}

// plain returns a value as JSON, without the quotes of a string that is one word and cannot
// be taken for another value.
func plain(v *node) string {
	if v.Is(jsonvalue.String) && v.Text != "" && strings.Trim(v.Text, wordBytes) == "" && !isLiteral(v.Text) {
		return v.Text
	}
	return compact(v)
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

func isLiteral(s string) bool { return s == "null" || s == "true" || s == "false" }

// joined returns facts separated by commas.
func joined(facts []fact) string {
	list := make([]string, len(facts))
	for i, f := range facts {
		list[i] = f.String()
	}
	return strings.Join(list, ", ")
}
