package manifest

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// fit is how a value stands to a schema.
type fit uint8

const (
	misfit fit = iota
	unsure     // it hangs on what cannot be checked, such as a pattern that RE2 does not know
	fits
)

// judge holds values against schemas, by all keywords of draft 2020-12 and, as package
// schema reads them, those of other drafts and providers. Numbers count exactly. What
// only annotates, format among it, lets everything through.
//
// The arguments that models send are held against schemas by package schema, which
// knows less and words more.
type judge struct {
	doc   *document
	left  int // how many checks it may still make
	depth int

	patterns map[string]*regexp.Regexp // nil for those that RE2 does not know
	vouched  map[unchecked]bool        // what the schema itself gives as an example
	unknown  []unchecked               // what the last value hung on

	at     []string // the members and elements around the value
	trying int      // how many of the schemas around the value may as well not fit
	where  *string  // JSON pointer to what did not fit; nil: all did
}

// unchecked is a text and a pattern that it could not be held against.
type unchecked struct{ pattern, text string }

// maxChecks bounds the work for one schema: what applies in place can multiply.
const maxChecks = 1 << 20

func newJudge(d *document) *judge {
	return &judge{doc: d, left: maxChecks, patterns: map[string]*regexp.Regexp{}, vouched: map[unchecked]bool{}}
}

// exhausted reports whether it has given up.
func (j *judge) exhausted() bool { return j.left < 0 }

// fit holds a value against a schema.
func (j *judge) fit(s, v *node) fit {
	j.unknown, j.where = j.unknown[:0], nil
	return j.child(s, v)
}

// vouch takes what the last value hung on for granted, from now on.
func (j *judge) vouch() {
	for _, u := range j.unknown {
		j.vouched[u] = true
	}
}

// child holds a value of its own against a schema.
func (j *judge) child(s, v *node) fit { return j.check(s, v, make([]bool, len(v.list))) }

// part holds a member or an element against a schema.
func (j *judge) part(s, v *node, name string) fit {
	j.at = append(j.at, name)
	defer func() { j.at = j.at[:len(j.at)-1] }()
	return j.child(s, v)
}

// try holds a value against a schema that it need not fit.
func (j *judge) try(s, v *node, seen []bool) fit {
	j.trying++
	defer func() { j.trying-- }()
	return j.inPlace(s, v, seen)
}

// check holds v against s. seen are the members or elements of v that some schema has
// a say in, for the unevaluated ones to be known.
func (j *judge) check(s, v *node, seen []bool) fit {
	if j.left -= 1 + len(v.list); j.left < 0 || j.depth > maxFollowed {
		return unsure
	}
	j.depth++
	defer func() { j.depth-- }()
	got := fits
	switch {
	case s.kind() == 'f':
		got = misfit
	case s.kind() == '{' && !(s.get("nullable").kind() == 't' && v.kind() == 'n'):
		got = j.keywords(s, v, seen)
	}
	if got == misfit && j.trying == 0 && j.where == nil {
		var path strings.Builder
		for _, name := range j.at {
			path.WriteString("/" + jsonvalue.EscapePointer(name))
		}
		at := path.String()
		j.where = &at
	}
	return got
}

func (j *judge) keywords(s, v *node, seen []bool) fit {
	got := j.plain(s, v)
	for _, check := range []func(s, v *node, seen []bool) fit{j.combined, j.conditional, j.elements, j.members, j.unevaluated} {
		if got != misfit {
			got = min(got, check(s, v, seen))
		}
	}
	return got
}

// inPlace holds the same value against a further schema.
func (j *judge) inPlace(s, v *node, seen []bool) fit {
	own := make([]bool, len(seen))
	got := j.check(s, v, own)
	if got != misfit {
		for i := range own {
			seen[i] = seen[i] || own[i]
		}
	}
	return got
}

// yes is fits or misfit.
func yes(ok bool) fit {
	if ok {
		return fits
	}
	return misfit
}

// plain checks types, constants and bounds.
func (j *judge) plain(s, v *node) fit {
	if types := typesOf(s); types != nil && !slices.ContainsFunc(types, v.is) {
		return misfit
	}
	if c := s.get("const"); c != nil && !same(c, v) {
		return misfit
	}
	if e := s.get("enum"); e.kind() == '[' && !slices.ContainsFunc(e.list, func(c *node) bool { return same(c, v) }) {
		return misfit
	}
	switch v.kind() {
	case '0':
		return bounded(s, v)
	case '"':
		n := utf8.RuneCountInString(v.text)
		if !counts(s, "Length", n) {
			return misfit
		}
		if p := s.get("pattern"); p.kind() == '"' {
			return j.matches(p.text, v.text)
		}
	}
	return fits
}

// is reports whether the value is of a type.
func (n *node) is(kind string) bool {
	switch n.kind() {
	case '"':
		return kind == "string"
	case '0':
		if kind == "integer" {
			r, ok := n.number()
			return ok && r.IsInt()
		}
		return kind == "number"
	case 't', 'f':
		return kind == "boolean"
	case '{':
		return kind == "object"
	case '[':
		return kind == "array"
	}
	return kind == "null"
}

// same reports whether two values are equal as JSON: numbers by value, objects
// whatever the order of their members.
func same(a, b *node) bool {
	if a.kind() != b.kind() {
		return false
	}
	switch a.kind() {
	case '0':
		x, ok := a.number()
		y, also := b.number()
		if !ok || !also {
			return string(a.raw) == string(b.raw)
		}
		return x.Cmp(y) == 0
	case '"':
		return a.text == b.text
	case '[':
		return slices.EqualFunc(a.list, b.list, same)
	case '{':
		for i, key := range a.keys {
			if other := b.get(key); other == nil || !same(a.list[i], other) {
				return false
			}
		}
		return len(a.keys) == len(b.keys)
	}
	return true
}

// bounded checks the bounds of numbers.
func bounded(s, v *node) fit {
	value, ok := v.number()
	if !ok {
		return unsure
	}
	within := func(key string, side int) bool {
		limit, ok := s.get(key).number()
		order := 0
		if ok {
			order = value.Cmp(limit) * side
		}
		exclusive := strings.HasPrefix(key, "exclusive")
		if !exclusive { // draft 4
			exclusive = s.get("exclusive"+strings.ToUpper(key[:1])+key[1:]).kind() == 't'
		}
		return !ok || order > 0 || order == 0 && !exclusive
	}
	if !within("minimum", 1) || !within("exclusiveMinimum", 1) || !within("maximum", -1) || !within("exclusiveMaximum", -1) {
		return misfit
	}
	if step, ok := s.get("multipleOf").number(); ok && step.Sign() > 0 {
		return yes(new(big.Rat).Quo(value, step).IsInt())
	}
	return fits
}

// counts checks the bounds of what can be counted.
func counts(s *node, what string, n int) bool {
	return n >= s.get("min"+what).count(0) && n <= s.get("max"+what).count(n)
}

// regexp is a pattern, and nil for one that RE2 does not know.
func (j *judge) regexp(pattern string) *regexp.Regexp {
	re, known := j.patterns[pattern]
	if !known {
		re, _ = regexp.Compile(pattern)
		j.patterns[pattern] = re
	}
	return re
}

func (j *judge) matches(pattern, text string) fit {
	if re := j.regexp(pattern); re != nil {
		return yes(re.MatchString(text))
	}
	u := unchecked{pattern, text}
	if j.vouched[u] {
		return fits
	}
	j.unknown = append(j.unknown, u)
	return unsure
}

// combined checks what other schemas say of the same value.
func (j *judge) combined(s, v *node, seen []bool) fit {
	got := fits
	for _, key := range []string{"$ref", "$dynamicRef"} {
		ref := s.get(key)
		if ref == nil {
			continue
		}
		to := j.doc.target(ref.text)
		if to == nil {
			got = unsure
			continue
		}
		got = min(got, j.inPlace(to, v, seen))
	}
	for _, part := range s.elements("allOf") {
		if got == misfit {
			return misfit
		}
		got = min(got, j.inPlace(part, v, seen))
	}
	if list := s.elements("anyOf"); len(list) > 0 {
		sure, maybe := j.number(list, v, seen)
		switch {
		case sure+maybe == 0:
			return misfit
		case sure == 0:
			got = min(got, unsure)
		}
	}
	if list := s.elements("oneOf"); len(list) > 0 {
		sure, maybe := j.number(list, v, seen)
		switch {
		case sure > 1, sure+maybe == 0:
			return misfit
		case maybe > 0:
			got = min(got, unsure)
		}
	}
	if not := s.get("not"); not != nil {
		got = min(got, fits-j.try(not, v, make([]bool, len(seen))))
	}
	return got
}

// number counts the schemas that a value fits, and those that it may fit.
func (j *judge) number(list []*node, v *node, seen []bool) (sure, maybe int) {
	for _, s := range list {
		switch j.try(s, v, seen) {
		case fits:
			sure++
		case unsure:
			maybe++
		}
	}
	return sure, maybe
}

// conditional checks the schemas that apply if the value is such or such.
func (j *judge) conditional(s, v *node, seen []bool) fit {
	got := fits
	if cond := s.get("if"); cond != nil {
		branch := func(key string) fit {
			if then := s.get(key); then != nil {
				return j.inPlace(then, v, seen)
			}
			return fits
		}
		switch j.try(cond, v, seen) {
		case fits:
			got = branch("then")
		case misfit:
			got = branch("else")
		default:
			if then, other := branch("then"), branch("else"); then != other || then == unsure {
				got = unsure
			} else {
				got = then
			}
		}
	}
	if v.kind() != '{' {
		return got
	}
	for _, key := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		m := s.get(key)
		if m.kind() != '{' {
			continue
		}
		for i, name := range m.keys {
			switch dependent := m.list[i]; {
			case v.get(name) == nil:
			case dependent.kind() != '[':
				got = min(got, j.inPlace(dependent, v, seen))
			default:
				for _, needed := range dependent.strings() {
					got = min(got, yes(v.get(needed) != nil))
				}
			}
		}
	}
	return got
}

// elements checks those of a list.
func (j *judge) elements(s, v *node, seen []bool) fit {
	if v.kind() != '[' {
		return fits
	}
	got := yes(counts(s, "Items", len(v.list)) && !(s.get("uniqueItems").kind() == 't' && j.repeats(v.list)))
	tuple, rest := s.elements("prefixItems"), s.get("items")
	if rest.kind() == '[' { // before draft 2020
		tuple, rest = rest.list, s.get("additionalItems")
	}
	for i, element := range v.list {
		own := rest
		if i < len(tuple) {
			own = tuple[i]
		}
		if own != nil && got != misfit {
			seen[i] = true
			got = min(got, j.part(own, element, strconv.Itoa(i)))
		}
	}
	contains := s.get("contains")
	if contains == nil || got == misfit {
		return got
	}
	sure, maybe := 0, 0
	for i, element := range v.list {
		switch j.try(contains, element, make([]bool, len(element.list))) {
		case fits:
			seen[i] = true
			sure++
		case unsure:
			maybe++
		}
	}
	least, most := s.get("minContains").count(1), s.get("maxContains").count(len(v.list))
	switch {
	case sure+maybe < least || sure > most:
		return misfit
	case sure < least || sure+maybe > most:
		return min(got, unsure)
	}
	return got
}

// repeats reports whether two of a list are equal.
func (j *judge) repeats(list []*node) bool {
	for i, a := range list {
		if j.left -= i; j.left < 0 {
			return false // it counts as unsure anyway
		}
		if slices.ContainsFunc(list[:i], func(b *node) bool { return same(a, b) }) {
			return true
		}
	}
	return false
}

// members checks those of an object.
func (j *judge) members(s, v *node, seen []bool) fit {
	if v.kind() != '{' {
		return fits
	}
	got := yes(counts(s, "Properties", len(v.keys)))
	for _, r := range s.get("required").strings() {
		got = min(got, yes(v.get(r) != nil))
	}
	for i, name := range v.keys {
		if got == misfit {
			return misfit
		}
		if names := s.get("propertyNames"); names != nil {
			got = min(got, j.child(names, textNode(name)))
		}
		member, known := j.member(s, name, v.list[i])
		switch extra := s.get("additionalProperties"); {
		case extra == nil || known == fits:
		case known == unsure:
			if j.try(extra, v.list[i], make([]bool, len(v.list[i].list))) != fits {
				member = min(member, unsure)
			}
			known = fits
		default:
			member, known = min(member, j.part(extra, v.list[i], name)), fits
		}
		seen[i] = seen[i] || known == fits
		got = min(got, member)
	}
	return got
}

// member checks a member by the schemas under its name, and those under patterns of
// it, and tells whether there are any.
func (j *judge) member(s *node, name string, v *node) (got, known fit) {
	got, known = fits, misfit
	if own := s.get("properties").get(name); own != nil {
		got, known = j.part(own, v, name), fits
	}
	patterns := s.get("patternProperties")
	if patterns.kind() != '{' {
		return got, known
	}
	for i, pattern := range patterns.keys {
		switch match := j.matches(pattern, name); match {
		case fits:
			got, known = min(got, j.part(patterns.list[i], v, name)), fits
		case unsure:
			known = max(known, unsure)
			if j.try(patterns.list[i], v, make([]bool, len(v.list))) != fits {
				got = min(got, unsure)
			}
		}
	}
	return got, known
}

// unevaluated checks what no other schema has a say in.
func (j *judge) unevaluated(s, v *node, seen []bool) fit {
	key := "unevaluatedProperties"
	switch v.kind() {
	case '[':
		key = "unevaluatedItems"
	case '{':
	default:
		return fits
	}
	rest, got := s.get(key), fits
	if rest == nil {
		return fits
	}
	for i, part := range v.list {
		if !seen[i] {
			seen[i] = true
			name := strconv.Itoa(i)
			if v.kind() == '{' {
				name = v.keys[i]
			}
			got = min(got, j.part(rest, part, name))
		}
	}
	return got
}

// typesOf are the types that a schema names, in its order, in the words of JSON
// Schema. A word that may be anything leaves none.
func typesOf(n *node) []string {
	var types []string
	names := []*node{n.get("type")}
	if names[0].kind() == '[' {
		names = names[0].list
	}
	for _, name := range names {
		if name.kind() != '"' {
			continue
		}
		word := schema.TypeName(name.text)
		if word == "" {
			return nil
		}
		if !slices.Contains(types, word) {
			types = append(types, word)
		}
	}
	if types != nil && n.get("nullable").kind() == 't' && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types
}
