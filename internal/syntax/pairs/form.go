package pairs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// compiled is what the machine needs of a form. The order of the patterns in each set
// matters: the machine tells them apart by their index. A set is nil if the dialect has no
// such marker.
type compiled struct {
	keyClose  *lex.Set
	keyEnds   *lex.Set    // keyClose, valueOpen, then everything that a key cannot contain
	tagEnd    lex.Pattern // ends a tag with the key as an attribute
	keyAttr   string      // the attribute with the key, up to its value, as models write it; or ""
	typeAttr  string      // that with the type
	typeClose *lex.Set
	valueOpen *lex.Set
	between   *lex.Set         // the opener of a key, void, then whatever may follow the arguments
	misplaced *lex.Set         // between, then valueOpen
	voids     int              // how many patterns of between are void
	next      int              // index in between of the first opener of a next call
	afterKey  *lex.Set         // the opener of a type, then afterType
	afterType *lex.Set         // valueOpen, between, then keyClose, which may be written twice
	opens     int              // how many patterns of afterKey are openers of a type
	ends      *lex.Set         // everything that may end a value
	cutEnds   *lex.Set         // ends, then the heads of other calls, which end a value that cannot be a string
	kinds     []valueEnd       // what each pattern of cutEnds is
	upper     *lex.Set         // what follows the call's closer if that ends a value
	renew     *lex.Set         // what follows the section's closer if that ends a value: another section with a call
	afterName *lex.Set         // what follows the name of the next call, if that ends a value
	stops     string           // the first bytes of ends
	stopTable *syntax.Stops    // stops, for the fast path
	finder    *bytescan.Finder // of stops, if they are a few ASCII bytes
	stop      bool             // the call's closer may be missing at the end
	bareKey   bool             // after a value, the text before a key's closer is a key
	skip      string           // trailing blanks of the marker before a value
	open      string           // the closing tag of a value without its >; "" if it is another marker
}

// valueEnd says what a pattern in compiled.ends is.
type valueEnd uint8

const (
	endCloser  valueEnd = iota // the value's closer
	endKey                     // the opener of the next key
	endUpper                   // the call's closer
	endSection                 // the section's closer
	endNext                    // the opener of the next call
	endOther                   // another spelling of the closer
	endCDATA                   // not an end: the opener of a CDATA section
	endHead                    // the head of another call
)

func compile(f *syntax.Form) *compiled {
	a := &f.Args
	keyOpen, keyClose := lex.NewPatterns(a.KeyMark.Open), lex.NewPatterns(a.KeyMark.Close)
	valueOpen, types := lex.NewPatterns(a.ValueMark.Open), lex.NewPatterns(a.TypeMark.Open)
	voids := void(a)
	between := slices.Concat(keyOpen, voids, f.After.Patterns)
	c := &compiled{
		stop: f.Frame.Stop, voids: len(voids), opens: len(types),
		keyClose: setOf(keyClose), valueOpen: setOf(valueOpen), typeClose: setOf(lex.NewPatterns(a.TypeMark.Close)),
		tagEnd:  lex.NewPattern(a.KeyMark.Close),
		between: setOf(between), misplaced: setOf(between, valueOpen),
		afterKey: setOf(types, valueOpen, between, keyClose), afterType: setOf(valueOpen, between, keyClose),
		afterName: setOf(keyOpen, lex.NewPatterns(string(f.Closer))),
	}
	if a.Key != "" {
		c.keyAttr = " " + a.Key + `="`
	}
	if a.Type != "" {
		c.typeAttr = " " + a.Type + `="`
	}
	c.next = len(between)
	if k := slices.Index(f.Kinds, syntax.AfterNext); k >= 0 {
		c.next -= len(f.Kinds) - k
	}
	c.bareKey = c.keyClose != nil && a.Key == "" && (c.valueOpen != nil || a.Marked)
	if c.keyClose != nil {
		c.keyEnds = setOf(keyClose, valueOpen, between)
	}
	var ends, upper []lex.Pattern
	mayEnd := func(kind valueEnd, list ...lex.Pattern) {
		for _, p := range list {
			ends, c.kinds = append(ends, p), append(c.kinds, kind)
		}
	}
	mayEnd(endCloser, lex.NewPatterns(a.ValueMark.Close)...)
	if text, ok := strings.CutSuffix(lex.TrimBlanks(a.ValueMark.Close), ">"); ok && strings.HasPrefix(text, "</") {
		c.open = text
	}
	mayEnd(endKey, keyOpen...)
	tokens := a.Marked && a.Key == "" // no value contains a marker
	for k, p := range f.After.Patterns {
		switch f.Kinds[k] {
		case syntax.AfterCloser:
			mayEnd(endUpper, p)
		case syntax.AfterSection:
			mayEnd(endSection, p)
		case syntax.AfterNext:
			upper = append(upper, p)
			if tokens { // elsewhere it ends no value by itself: the text may quote it
				mayEnd(endNext, p)
			}
		}
	}
	mayEnd(endOther, lex.NewPatterns(a.Closers...)...)
	if a.Entities {
		mayEnd(endCDATA, lex.CDATAOpen)
		c.stops = "&"
	}
	if f.Leave != "" && !f.Bare {
		upper = append(upper, f.Leave)
	}
	c.ends, c.upper, c.renew = lex.NewSet(ends...), lex.NewSet(upper...), lex.NewSet()
	if f.Enter != "" && !f.Bare {
		c.renew = lex.NewSet(f.Enter.Then(lex.NewPattern(f.Frame.Call.Open)))
	}
	if !tokens && len(ends)+len(f.Heads) <= lex.MaxPatterns {
		withKey, others := splitHeads(f)
		if c.valueOpen != nil { // a key ends any value, and so does a call up to its key
			mayEnd(endHead, withKey...)
			c.ends = lex.NewSet(ends...)
		} else {
			mayEnd(endHead, withKey...)
		}
		mayEnd(endHead, others...)
	}
	c.cutEnds = lex.NewSet(ends...)
	for _, p := range ends {
		if strings.IndexByte(c.stops, p[0]) < 0 {
			c.stops += string(p[0])
		}
	}
	c.stopTable = syntax.NewStops(c.stops, true)
	if n := len(c.stops); n > 1 && n <= bytescan.MaxFind {
		c.finder = bytescan.NewFinder([]byte(c.stops)...)
	}
	if before := a.ValueMark.Open; a.Layout == "" {
		if before == "" {
			before = a.KeyMark.Close
		}
		c.skip = before[len(strings.TrimRight(before, " \t\r\n")):]
	}
	return c
}

// splitHeads returns the heads of calls that end with the opener of a key, and the others.
func splitHeads(f *syntax.Form) (withKey, others []lex.Pattern) {
	key := string(lex.NewPattern(f.Args.KeyMark.Open))
	for _, head := range f.Heads {
		if strings.HasSuffix(string(head), key) {
			withKey = append(withKey, head)
		} else {
			others = append(others, head)
		}
	}
	return withKey, others
}

// findStop returns the offset of the first byte of in, at or after i, that may begin an end of
// a value, or len(in).
func (f *compiled) findStop(in string, i int) int {
	n := 0
	switch {
	case len(f.stops) == 1:
		n = strings.IndexByte(in[i:], f.stops[0])
	case f.finder != nil:
		return f.finder.Find(in, i)
	default:
		n = strings.IndexAny(in[i:], f.stops)
	}
	if n < 0 {
		return len(in)
	}
	return i + n
}

// setOf returns the set of all patterns in the lists, or nil if there is none.
func setOf(lists ...[]lex.Pattern) *lex.Set {
	if all := slices.Concat(lists...); len(all) > 0 {
		return lex.NewSet(all...)
	}
	return nil
}

// first returns the patterns with which arguments can begin.
func first(a *dialect.Args) []lex.Pattern {
	open := lex.NewPattern(a.KeyMark.Open)
	if a.Key != "" {
		list := []lex.Pattern{lex.NewPattern(a.KeyMark.Open + " " + a.Key + " =")}
		if a.Type != "" {
			list = append(list, lex.NewPattern(a.KeyMark.Open+" "+a.Type+" ="))
		}
		return list
	}
	list := append([]lex.Pattern{open}, void(a)...)
	if name, ok := strings.CutSuffix(a.KeyMark.Open, "="); ok { // the tag of a key, without the key
		list = append(list, lex.NewPatterns(name+" >")...)
	}
	return list
}

// void returns the pattern of a self-closing key tag without a key: <parameter/>.
func void(a *dialect.Args) []lex.Pattern {
	if name, ok := strings.CutSuffix(a.KeyMark.Open, "="); ok {
		return lex.NewPatterns(name + " />")
	}
	return nil
}

// fault finds markers that would prevent a key or a value from ending.
func fault(f *dialect.Form) (field, wrong string) {
	a := &f.Args
	switch {
	case a.KeyMark.Open == "":
		return "args.key_mark.open", "is empty"
	case a.ValueMark.Close == "":
		return "args.value_mark.close", "is empty"
	case a.QuotesStrings() && a.Quote != `"`:
		return "args.quote", "can only be a double quote between markers"
	}
	closer := lex.NewPattern(a.ValueMark.Close)
	for _, m := range []struct{ field, text string }{
		{"args.key_mark.open", a.KeyMark.Open}, {"args.value_mark.open", a.ValueMark.Open},
		{"frame.call.close", f.Frame.Call.Close}, {"frame.section.close", f.Frame.Section.Close},
	} {
		if other := lex.NewPattern(m.text); other != "" && strings.HasPrefix(string(closer), string(other)) {
			return "args.value_mark.close", fmt.Sprintf("begins with %s, so it can never match", m.field)
		}
	}
	if open, end := lex.NewPattern(a.ValueMark.Open), lex.NewPattern(a.KeyMark.Close); open != "" && end != "" && strings.HasPrefix(string(end), string(open)) {
		return "args.key_mark.close", "begins with args.value_mark.open, so a key never ends"
	}
	if blanks := len(a.ValueMark.Close) - len(strings.TrimLeft(a.ValueMark.Close, " \t\r\n")); blanks > 0 && a.Layout == "" && !a.QuotesStrings() {
		return "args.value_mark.close", fmt.Sprintf("begins with blanks, which become part of values unless args.layout is %q or %q", dialect.LayoutLines, dialect.LayoutTrim)
	}
	return "", ""
}
