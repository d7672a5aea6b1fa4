package schema

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/near"
)

// Misspelling is an unknown word in a schema that resembles a known one.
type Misspelling struct {
	Path       string // JSON pointer to the schema that contains it
	Word       string
	Suggestion string
	Type       bool // Word is the name of a type; otherwise it is a keyword
}

// keywords are those of all drafts of JSON Schema, of OpenAPI and of Gemini. Keywords that
// this package ignores are included, so that they are not reported as misspelt.
var keywords = strings.Fields(`$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary
	additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions
	dependencies dependentRequired dependentSchemas deprecated description else enum example examples exclusiveMaximum exclusiveMinimum
	extends externalDocs format id if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength
	minProperties minimum multipleOf not nullable oneOf pattern patternProperties prefixItems properties propertyNames propertyOrdering
	readOnly required schema then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly`)

// maxMisspellings limits the number of misspellings that are reported for a schema.
const maxMisspellings = 10

// Misspellings returns the unknown keywords and type names in a schema that are one slip
// away from a known one. Readers ignore such words, so they deserve a warning but not an
// error. References are not followed; the time is linear in the schema. Invalid JSON has
// none.
func Misspellings(raw []byte) []Misspelling {
	root, err := jsonvalue.Parse(raw)
	if err != nil {
		return nil
	}
	var found []Misspelling
	add := func(m Misspelling, in *value) {
		if len(found) < maxMisspellings {
			m.Path, _ = root.PointerTo(in)
			found = append(found, m)
		}
	}
	var walk func(v *value)
	walk = func(v *value) {
		if v.Kind != jsonvalue.Object {
			return
		}
		for i, keyword := range v.Keys {
			k := v.List[i]
			if !slices.Contains(keywords, keyword) && !strings.HasPrefix(keyword, "x-") {
				if meant := near.Misspelling(keyword, keywords); meant != "" {
					add(Misspelling{Word: keyword, Suggestion: meant}, v)
				}
			}
			if keyword == "type" {
				for _, name := range namesUnder(k) {
					if name.Is(jsonvalue.String) && typeNamed(name.Text) == 0 {
						if meant := near.Misspelling(name.Text, typeNames[:]); meant != "" {
							add(Misspelling{Word: name.Text, Suggestion: meant, Type: true}, v)
						}
					}
				}
			}
			for _, sub := range Subschemas(keyword, k) {
				walk(sub)
			}
		}
	}
	walk(root)
	return found
}
