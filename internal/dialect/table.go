package dialect

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/near"
)

// All returns the built-in dialects in a fixed order, those of [Founding] first. The caller
// owns the slice, but must not change the dialects, which are shared.
func All() []*Dialect { return slices.Clone(table) }

// Default returns the dialect whose text contains no calls, only reasoning: api_tool_call.
func Default() *Dialect { return apiToolCall }

// Founding returns the dialects that agents teach to any model in their prompts. No model was
// trained on them.
func Founding() []*Dialect { return slices.Clone(foundingTable) }

// table lists all rows: the founding strategies, then the model-native dialects, with one
// file for each family of syntaxes.
var table = slices.Concat(foundingTable, jsonTable, namedJSONTable, tagTable, keyTable, nestedTable, callTable, channelTable, plainTable)

// row returns a row of a family of dialects. What d leaves out of its head, its arguments and its
// reasoning is as usual in that family. The token that ends a turn is noise, unless d lists
// other noise. An empty list in d means that there is none.
func row(family, d Dialect) *Dialect {
	if d.Head.Form == "" {
		d.Head = family.Head
	}
	if d.Args.Form == "" {
		d.Args = family.Args
	}
	if d.Reasoning == nil {
		d.Reasoning = family.Reasoning
	}
	if d.Noise == nil && d.Ends.Turn != "" {
		d.Noise = []string{d.Ends.Turn}
	}
	return &d
}

// noReasoning marks a row whose models write no reasoning, although it is usual in the family.
var noReasoning = []Reasoning{}

// variant returns a copy of a row with the differences that change makes, such as what its
// models are shown, or write first.
func variant(of *Dialect, change func(*Dialect)) *Dialect {
	d := derived(of, change)
	d.varies = of
	return d
}

// derived returns such a copy that is no variant, because text shows which of the two it is in.
func derived(of *Dialect, change func(*Dialect)) *Dialect {
	d := *of
	d.varies = nil
	change(&d)
	return &d
}

// setForms sets the ways in which d writes a call, the preferred one first.
func (d *Dialect) setForms(forms ...Form) *Dialect {
	d.Frame, d.Head, d.Args, d.Also = forms[0].Frame, forms[0].Head, forms[0].Args, forms[1:]
	return d
}

// Named returns the dialects that name stands for, ignoring case: a single one for a name or
// an alias; for "auto" all that a stream of unknown dialect may use, in the order in which
// they are tried; and for "json" the profile of provider ("openai", "gemini", ...), all
// profiles combined if provider is "", or the default profile if provider has none. For any
// other name it returns an [*UnknownError]. The caller owns the slice; the dialects
// are those of [All].
func Named(name, provider string) ([]*Dialect, error) {
	switch key := strings.ToLower(strings.TrimSpace(name)); key {
	case "auto":
		return Auto(), nil
	case "json":
		return []*Dialect{jsonProfile(provider)}, nil
	default:
		if d := byName(key); d != nil {
			return []*Dialect{d}, nil
		}
	}
	return nil, &UnknownError{Name: name}
}

// byName returns the dialect with a name or an alias, in lower case, or nil.
func byName(key string) *Dialect {
	for _, d := range table {
		if d.Name == key {
			return d
		}
	}
	for _, d := range table {
		if slices.Contains(d.Aliases, key) {
			return d
		}
	}
	return nil
}

// jsonProfile returns the JSON dialect that a provider's models are taught.
func jsonProfile(provider string) *Dialect {
	switch strings.ToLower(provider) {
	case "":
		return jsonAny
	case "openai", "responses", "mistral", "deepseek", "xai", "grok":
		return jsonOpenAI
	case "gemini", "google":
		return jsonGemini
	}
	return jsonDefault
}

// UnknownError is the error of [Named] for a name that no dialect has.
type UnknownError struct {
	Name string // as the caller wrote it
}

// maxNear limits the similar names that an error lists.
const maxNear = 5

// Error returns a message with the name and similar ones that Named knows.
func (e *UnknownError) Error() string {
	known := []string{"auto", "json"}
	for _, d := range table {
		known = append(append(known, d.Name), d.Aliases...)
	}
	names := near.Names(e.Name, known, maxNear)
	if len(names) == 0 {
		return fmt.Sprintf("unknown dialect %q; dialect.All lists all", e.Name)
	}
	return fmt.Sprintf("unknown dialect %q; did you mean %s?", e.Name, strings.Join(names, ", "))
}

// Auto returns the dialects that a stream of unknown dialect may use, in the order in which
// they are tried if they share a marker: the founding strategies, with one dialect for all
// their JSON profiles, then the others. Dialects whose calls begin with a letter are
// excluded, because every word would be a candidate. The caller owns the slice.
func Auto() []*Dialect { return slices.Clone(auto()) }

var auto = sync.OnceValue(func() []*Dialect {
	list := []*Dialect{xmlTags, sentinel, jsonAny}
	for _, d := range table {
		if slices.Contains(foundingTable, d) || d.Native() {
			continue
		}
		if f := d.Forms()[0]; f.Marked() {
			list = append(list, d)
		}
	}
	return list
})
