// Package rules writes the grammar of a call's arguments.
//
// A [Node] is an expression, and a [Rule] one with a name. [Text], [Char], [Seq], [Alt] and
// [Repeat] make expressions; a [Writer] makes those of values that fit a schema: in a
// [Language] such as JSON, Python, or text between markers.
// What it cannot write is left out, with a [Loss], or fails the tool, with a [Failure].
//
// A syntax of arguments (internal/syntax) combines these in its Grammar. Package
// grammar puts the calls around the arguments, and prints the rules.
package rules

import (
	"slices"
	"strconv"
	"strings"
)

// NodeKind says what a [Node] matches.
type NodeKind uint8

// The kinds of nodes.
const (
	KindSeq    NodeKind = iota // an empty one matches the empty text
	KindText                   // a literal text
	KindChar                   // one character of a set
	KindAlt                    // any of several; an empty one matches nothing
	KindRepeat                 // a node several times
	KindRule                   // what a rule matches
)

// Node is an expression of a grammar.
type Node struct {
	Kind     NodeKind
	Text     string
	Set      Charset
	Of       []*Node
	Min, Max int // of a repetition; a negative max means no limit
	Rule     *Rule
}

// Rule is an expression with a name. It may refer to itself.
type Rule struct {
	Name string
	Body *Node
	ends bool // it matches some finite text
}

var Nothing = &Node{}

func Text(s string) *Node {
	if s == "" {
		return Nothing
	}
	return &Node{Kind: KindText, Text: s}
}

func Char(set Charset) *Node {
	if len(set) == 0 {
		return Alt()
	}
	return &Node{Kind: KindChar, Set: set}
}

func Seq(of ...*Node) *Node {
	var flat []*Node
	for _, n := range of {
		switch {
		case n.Kind == KindSeq:
			for _, inner := range n.Of {
				flat = joined(flat, inner)
			}
		default:
			flat = joined(flat, n)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &Node{Of: flat}
}

// joined appends n, and joins two adjacent literals.
func joined(list []*Node, n *Node) []*Node {
	if last := len(list) - 1; n.Kind == KindText && last >= 0 && list[last].Kind == KindText {
		list[last] = Text(list[last].Text + n.Text)
		return list
	}
	return append(list, n)
}

func Alt(of ...*Node) *Node {
	var flat []*Node
	written := map[string]bool{}
	add := func(n *Node) {
		if n.Kind == KindText {
			if written[n.Text] {
				return
			}
			written[n.Text] = true
		}
		flat = append(flat, n)
	}
	for _, n := range of {
		if n.Kind != KindAlt {
			add(n)
			continue
		}
		for _, inner := range n.Of {
			add(inner)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &Node{Kind: KindAlt, Of: flat}
}

func Repeat(n *Node, least, most int) *Node {
	switch {
	case most == 0 || len(n.Of) == 0 && n.Kind == KindSeq:
		return Nothing
	case least == 1 && most == 1:
		return n
	}
	return &Node{Kind: KindRepeat, Of: []*Node{n}, Min: least, Max: most}
}

func Optional(n *Node) *Node { return Repeat(n, 0, 1) }
func Many(n *Node) *Node     { return Repeat(n, 0, -1) }

func Call(r *Rule) *Node { return &Node{Kind: KindRule, Rule: r} }

// impossible reports whether n is the expression that matches nothing.
func impossible(n *Node) bool { return n.Kind == KindAlt && len(n.Of) == 0 }

// Rules makes rules with distinct names.
type Rules struct {
	List []*Rule
	used map[string]int
}

// Add makes a rule. The body may be set later.
func (r *Rules) Add(hint string, body *Node) *Rule {
	if r.used == nil {
		r.used = map[string]int{}
	}
	name := ruleName(hint)
	r.used[name]++
	rule := &Rule{Name: name, Body: body}
	if n := r.used[name]; n > 1 {
		rule.Name = name + "-n" + strconv.Itoa(n)
	}
	r.List = append(r.List, rule)
	return rule
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

// Settle removes alternatives that match no finite text, because a model that enters
// one would never leave it. It reports whether root matches some finite text.
func Settle(root *Rule) bool {
	all := inward(root)
	for changed := true; changed; { // more than two rounds only for recursive rules
		changed = false
		for _, r := range all {
			if !r.ends && ends(r.Body) {
				r.ends, changed = true, true
			}
		}
	}
	for _, r := range all {
		r.Body = prune(r.Body)
	}
	return root.ends
}

func ends(n *Node) bool {
	switch n.Kind {
	case KindSeq:
		return !slices.ContainsFunc(n.Of, func(o *Node) bool { return !ends(o) })
	case KindAlt:
		return slices.ContainsFunc(n.Of, ends)
	case KindRepeat:
		return n.Min == 0 || ends(n.Of[0])
	case KindRule:
		return n.Rule.ends
	}
	return true
}

func prune(n *Node) *Node {
	if len(n.Of) == 0 {
		return n
	}
	if !ends(n) {
		return Alt()
	}
	of := make([]*Node, 0, len(n.Of))
	for _, o := range n.Of {
		if ends(o) {
			of = append(of, prune(o))
		}
	}
	switch n.Kind {
	case KindAlt:
		return Alt(of...)
	case KindRepeat:
		if len(of) == 0 {
			return Nothing
		}
		return Repeat(of[0], n.Min, n.Max)
	}
	return Seq(of...)
}

// inward returns the rules that root refers to, each after the rules that it refers to
// itself, apart from cycles.
func inward(root *Rule) []*Rule {
	var list []*Rule
	seen := map[*Rule]bool{}
	var enter func(r *Rule)
	enter = func(r *Rule) {
		if !seen[r] {
			seen[r] = true
			eachRule(r.Body, enter)
			list = append(list, r)
		}
	}
	enter(root)
	return list
}

// Reachable returns the rules that root refers to, root first, in breadth-first order.
func Reachable(root *Rule) []*Rule {
	list, seen := []*Rule{root}, map[*Rule]bool{root: true}
	for i := 0; i < len(list); i++ {
		eachRule(list[i].Body, func(r *Rule) {
			if !seen[r] {
				seen[r] = true
				list = append(list, r)
			}
		})
	}
	return list
}

// eachRule calls visit for each rule that an expression refers to.
func eachRule(n *Node, visit func(r *Rule)) {
	if n.Kind == KindRule {
		visit(n.Rule)
	}
	for _, o := range n.Of {
		eachRule(o, visit)
	}
}
