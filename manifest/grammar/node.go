package grammar

import (
	"slices"
	"strconv"
	"strings"
)

type nodeKind uint8

const (
	kindSeq nodeKind = iota // an empty one matches the empty text
	kindLit
	kindChar
	kindAlt // an empty one matches nothing
	kindRep
	kindRule
)

// node is an expression of a grammar.
type node struct {
	kind     nodeKind
	text     string
	set      charset
	of       []*node
	min, max int // of a repetition; a negative max means no limit
	rule     *rule
}

// rule is an expression with a name. It may refer to itself.
type rule struct {
	name string
	body *node
	ends bool // it matches some finite text
}

var nothing = &node{}

func lit(s string) *node {
	if s == "" {
		return nothing
	}
	return &node{kind: kindLit, text: s}
}

func char(set charset) *node {
	if len(set) == 0 {
		return alt()
	}
	return &node{kind: kindChar, set: set}
}

func seq(of ...*node) *node {
	var flat []*node
	for _, n := range of {
		switch {
		case n.kind == kindSeq:
			for _, inner := range n.of {
				flat = joined(flat, inner)
			}
		default:
			flat = joined(flat, n)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &node{of: flat}
}

// joined appends n, and joins two adjacent literals.
func joined(list []*node, n *node) []*node {
	if last := len(list) - 1; n.kind == kindLit && last >= 0 && list[last].kind == kindLit {
		list[last] = lit(list[last].text + n.text)
		return list
	}
	return append(list, n)
}

func alt(of ...*node) *node {
	var flat []*node
	written := map[string]bool{}
	add := func(n *node) {
		if n.kind == kindLit {
			if written[n.text] {
				return
			}
			written[n.text] = true
		}
		flat = append(flat, n)
	}
	for _, n := range of {
		if n.kind != kindAlt {
			add(n)
			continue
		}
		for _, inner := range n.of {
			add(inner)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &node{kind: kindAlt, of: flat}
}

func rep(n *node, least, most int) *node {
	switch {
	case most == 0 || len(n.of) == 0 && n.kind == kindSeq:
		return nothing
	case least == 1 && most == 1:
		return n
	}
	return &node{kind: kindRep, of: []*node{n}, min: least, max: most}
}

func optional(n *node) *node { return rep(n, 0, 1) }
func many(n *node) *node     { return rep(n, 0, -1) }

func call(r *rule) *node { return &node{kind: kindRule, rule: r} }

// impossible reports whether n is the expression that matches nothing.
func impossible(n *node) bool { return n.kind == kindAlt && len(n.of) == 0 }

// rules makes rules with distinct names.
type rules struct {
	list  []*rule
	taken map[string]int
}

// add makes a rule. The body may be set later.
func (r *rules) add(hint string, body *node) *rule {
	if r.taken == nil {
		r.taken = map[string]int{}
	}
	name := ruleName(hint)
	r.taken[name]++
	made := &rule{name: name, body: body}
	if n := r.taken[name]; n > 1 {
		made.name = name + "-n" + strconv.Itoa(n)
	}
	r.list = append(r.list, made)
	return made
}

// ruleName turns a hint into a name that every reader of GBNF accepts.
func ruleName(hint string) string {
	var b strings.Builder
	for _, c := range []byte(strings.ToLower(hint)) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else if s := b.String(); s != "" && s[len(s)-1] != '-' {
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" || name[0] < 'a' {
		name = "r" + name
	}
	return name
}

// settle removes alternatives that match no finite text, because a model that enters
// one would never leave it. It reports whether root matches some finite text.
func settle(root *rule) bool {
	all := inward(root)
	for changed := true; changed; { // more than two rounds only for recursive rules
		changed = false
		for _, r := range all {
			if !r.ends && ends(r.body) {
				r.ends, changed = true, true
			}
		}
	}
	for _, r := range all {
		r.body = prune(r.body)
	}
	return root.ends
}

func ends(n *node) bool {
	switch n.kind {
	case kindSeq:
		return !slices.ContainsFunc(n.of, func(o *node) bool { return !ends(o) })
	case kindAlt:
		return slices.ContainsFunc(n.of, ends)
	case kindRep:
		return n.min == 0 || ends(n.of[0])
	case kindRule:
		return n.rule.ends
	}
	return true
}

func prune(n *node) *node {
	if len(n.of) == 0 {
		return n
	}
	if !ends(n) {
		return alt()
	}
	of := make([]*node, 0, len(n.of))
	for _, o := range n.of {
		if ends(o) {
			of = append(of, prune(o))
		}
	}
	switch n.kind {
	case kindAlt:
		return alt(of...)
	case kindRep:
		if len(of) == 0 {
			return nothing
		}
		return rep(of[0], n.min, n.max)
	}
	return seq(of...)
}

// inward returns the rules that root refers to, each after the rules that it refers to
// itself, apart from cycles.
func inward(root *rule) []*rule {
	var list []*rule
	seen := map[*rule]bool{}
	var enter func(r *rule)
	var visit func(n *node)
	visit = func(n *node) {
		if n.kind == kindRule && !seen[n.rule] {
			enter(n.rule)
		}
		for _, o := range n.of {
			visit(o)
		}
	}
	enter = func(r *rule) {
		seen[r] = true
		visit(r.body)
		list = append(list, r)
	}
	enter(root)
	return list
}

// reachable returns the rules that root refers to, root first, in breadth-first order.
func reachable(root *rule) []*rule {
	list, seen := []*rule{root}, map[*rule]bool{root: true}
	var visit func(n *node)
	visit = func(n *node) {
		if n.kind == kindRule && !seen[n.rule] {
			seen[n.rule] = true
			list = append(list, n.rule)
		}
		for _, o := range n.of {
			visit(o)
		}
	}
	for i := 0; i < len(list); i++ {
		visit(list[i].body)
	}
	return list
}
