package parser

import (
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// A grammar lists everything that the parser looks for in one context of the text. It
// consists of a trie of the dialects' markers and of byte tables to skip plain text
// quickly.
//
// To find the next candidate in plain text, the parser tests two bytes. Each first byte of
// a marker belongs to one of seven groups (a bit); first maps a byte to the groups of
// markers that begin with it, and second maps a byte to the groups of markers that it may
// continue. A marker may begin at s[i] only if
//
//	first[s[i]] & second[s[i+1]] != 0
//
// so that a flood of "<" or "{" in text rarely starts a candidate. The test may accept too
// much, never too little; the trie then decides. jumps says how to find first bytes with
// IndexByte; see jumper.
type grammar struct {
	nodes    []node
	first    [256]uint8       // groups of the markers that begin with this byte; 0: none
	second   [256]uint8       // groups of the markers whose second byte this may be
	stops    syntax.Stops     // the same as first for the fast path, and LineFeed
	jumps    []jump           // the bytes to search for with IndexByte
	back     int              // the largest back of all jumps
	finder   *bytescan.Finder // of the same bytes, for short texts; nil if they are too many, not ASCII, or have a back
	groups   int
	surfaces map[string]bool      // surfaces of the forms in the grammar; nil unless the dialect is unknown
	owners   owners               // the owners of the surfaces
	inside   inside               // the kind of reasoning that this is the grammar of
	shared   map[lex.Pattern]bool // openers that count only after the opener of their section
	bare     *compiledDialect     // the dialect whose calls have no marker; nil if there is none
	dialect  *compiledDialect

	channels *channelForm   // of dialect
	openings []*channelForm // forms of messages that a stream may begin inside of, after the first token
	tools    []toolcall.ToolDefinition
	strays   []string // closers of reasoning that are tokens; inside reasoning: its closers
	start    *entry   // the meaning of any name at the beginning of the message or after a call
	fenced   byte     // what directly follows the code fence in the closer of dialect's calls; 0: those have none
}

// node is a state of the trie. Node 0 is the root.
type node struct {
	edges []edge
	entry *entry // the marker that ends here; nil if none does
	// rest is how all markers go on from here, as far as they agree. Its bytes lead to the
	// nodes that follow this one in grammar.nodes.
	rest string
}

type edge struct {
	c  byte
	to int32
}

// entryKind says what a marker begins or ends.
type entryKind uint8

const (
	entryBare      entryKind = iota // the first byte of a call without markers
	entryReasoning                  // the opener of reasoning
	entryReasoningEnd
	entryFrame  // the opener of a framed call
	entryNoise  // a token that is not text
	entryMember // the first byte of a call in a section whose calls have no opener
	entryHeader // the first token of a message's header
)

// entry says what the parser does at a marker.
type entry struct {
	kind      entryKind
	marker    string
	fold      bool // the marker matches in any case
	dialect   *compiledDialect
	reasoning dialect.Reasoning // entryReasoning: the pair of markers
	lineStart bool              // only at the beginning of a line
	form      *form             // entryFrame
	opening   *lex.Set          // entryFrame: the complete opener, which begins with marker
	named     bool              // entryFrame: marker is the beginning of the tool's name
	enters    bool              // entryFrame: the opener begins with that of a section
	at        dialect.Place     // entryFrame: where the opener counts
	follow    string            // entryBare: bytes that may follow, besides blanks
	leaves    bool              // entryNoise: it closes a section
	stray     bool              // entryNoise: it also counts after a call that lacks the opener of its section
	next      *entry            // the next interpretation of the same marker

	channels *channelForm // entryHeader; entryNoise: the end of a message
}

// anyGroup is the group of bytes that matter by themselves, whatever byte follows.
const anyGroup = 1 << 7

func newGrammar() *grammar {
	g := &grammar{nodes: make([]node, 1)}
	for c := range g.second {
		g.second[c] = anyGroup
	}
	g.stops['\n'] = syntax.LineFeed
	return g
}

// add inserts a marker into the trie. With fold, letters match in any case. A marker
// without fold shares those paths, so its matches are verified again by exact.
func (g *grammar) add(marker string, fold bool, e *entry) {
	at := int32(0)
	e.fold = fold
	for i := 0; i < len(marker); i++ {
		c := marker[i]
		if fold {
			c = lex.Lower(c)
		}
		to := g.next(at, c)
		if to == 0 {
			to = int32(len(g.nodes))
			g.nodes = append(g.nodes, node{rest: marker[i+1:]})
			g.connect(at, c, to)
		} else {
			n := &g.nodes[to]
			n.rest = n.rest[:commonPrefix(n.rest, marker[i+1:])]
		}
		if fold && g.next(at, lex.Upper(c)) == 0 {
			g.connect(at, lex.Upper(c), to)
		}
		at = to
	}
	for last := &g.nodes[at].entry; ; last = &(*last).next {
		if *last == nil || (*last).lacksSection() && !e.lacksSection() {
			e.next, *last = *last, e
			break
		}
	}
	group := g.group(marker[0])
	g.stop(marker, fold, group)
	if len(marker) == 1 {
		return // the caller says what may follow
	}
	g.second[marker[1]] |= group
	if fold {
		g.second[lex.Lower(marker[1])] |= group
		g.second[lex.Upper(marker[1])] |= group
	}
}

// commonPrefix returns the length of the longest prefix that a and b have in common.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// stop makes the scan of plain text stop at the first byte of marker.
func (g *grammar) stop(marker string, fold bool, group uint8) {
	g.first[marker[0]] |= group
	g.stops[marker[0]] = syntax.Stop
	g.jumpTo(marker, fold)
}

// watch makes the scan of plain text stop at c.
func (g *grammar) watch(c byte) { g.stop(string(c), false, anyGroup) }

// watchMarker makes the scan of plain text stop where marker may begin.
func (g *grammar) watchMarker(marker string) {
	if len(marker) == 1 {
		g.watch(marker[0])
		return
	}
	group := g.group(marker[0])
	g.stop(marker, false, group)
	g.second[marker[1]] |= group
}

// group returns the group of the markers that begin with c. There are seven groups; with
// more first bytes some share a group, which only makes the test less selective.
func (g *grammar) group(c byte) uint8 {
	if group := g.first[c] &^ anyGroup; group != 0 {
		return group
	}
	group := uint8(1) << (g.groups % 7)
	g.groups++
	return group
}

func (g *grammar) connect(at int32, c byte, to int32) {
	g.nodes[at].edges = append(g.nodes[at].edges, edge{c, to})
}

// next returns the node that c leads to; 0 means that no marker continues with c.
func (g *grammar) next(at int32, c byte) int32 {
	for _, e := range g.nodes[at].edges {
		if e.c == c {
			return e.to
		}
	}
	return 0
}

// finds reports whether there is anything to look for.
func (g *grammar) finds() bool { return len(g.jumps) > 0 }

// beginsBare reports whether a call without markers may begin with c.
func (g *grammar) beginsBare(c byte) bool {
	for e := g.nodes[g.next(0, c)].entry; e != nil; e = e.next {
		if e.kind == entryBare {
			return true
		}
	}
	return false
}

// compile returns the grammar of text in the given dialects.
func compile(dialects []*compiledDialect, opts *Options) *grammar {
	g := newGrammar()
	g.tools = opts.Tools
	if len(dialects) == 1 {
		g.dialect = dialects[0]
		if _, rest, _ := strings.Cut(g.dialect.Frame.Call.Close, "```"); rest != "" && !lex.IsBlank(rest[0]) {
			g.fenced = rest[0]
		}
	} else {
		g.surfaces, g.owners = map[string]bool{}, ownersOf(dialects)
	}
	for _, d := range dialects {
		if hasChannels(d.Dialect) {
			g.addChannels(d, opts)
		} else {
			g.addReasoning(d)
		}
		g.addOpeners(d)
		g.addNoise(d)
	}
	if opts.Recover {
		g.addForeign(dialects)
	}
	g.watchCode(opts)
	return g
}

// watchCode makes the scan of text stop where code may begin.
func (g *grammar) watchCode(opts *Options) {
	if !opts.CallsInCode {
		g.watch('`')
		g.watch('~')
	}
}

// quotedClosers returns the closers of reasoning in the founding dialects. Prose quotes them,
// so alone they stay text.
var quotedClosers = sync.OnceValue(func() map[string]bool {
	closers := map[string]bool{}
	for _, d := range dialect.Founding() {
		for _, pair := range d.Reasoning {
			closers[pair.Close] = true
		}
	}
	return closers
})

// addReasoning adds the markers of d's reasoning.
func (g *grammar) addReasoning(d *compiledDialect) {
	for _, pair := range d.Reasoning {
		if !quotedClosers()[pair.Close] && !slices.Contains(g.strays, pair.Close) {
			g.strays = append(g.strays, pair.Close)
		}
		if g.surfaces != nil {
			// While the dialect is unknown, words are too common to be markers, and the
			// first dialect decides where a marker counts.
			if lex.IsName(pair.Open[0]) || g.surfaces[pair.Open] {
				continue
			}
			g.surfaces[pair.Open] = true
		}
		for _, m := range lineEnds(pair.Open) {
			g.add(m, false, &entry{kind: entryReasoning, marker: m, dialect: d, reasoning: pair, lineStart: !pair.Anywhere})
		}
	}
}

// addNoise adds d's tokens that are not text.
func (g *grammar) addNoise(d *compiledDialect) {
	for _, marker := range d.Noise {
		for _, m := range lineEnds(marker) {
			g.add(m, false, &entry{kind: entryNoise, marker: m})
		}
	}
}

// lineEnds returns a marker and, if it has line ends, the marker with CRLF, as in a text that
// was stored on Windows.
func lineEnds(marker string) []string {
	if !strings.Contains(marker, "\n") {
		return []string{marker}
	}
	return []string{marker, strings.ReplaceAll(marker, "\n", "\r\n")}
}

// addOpeners adds the markers with which calls of d begin.
func (g *grammar) addOpeners(d *compiledDialect) { g.addNewOpeners(d, g.isNew) }

// addNewOpeners is addOpeners for the forms that isNew accepts.
func (g *grammar) addNewOpeners(d *compiledDialect, isNew func(*form) bool) {
	for k, f := range d.compiled() {
		if k >= headerForms(d.Dialect) && isNew(f) {
			g.addForm(f)
		}
	}
	for _, f := range d.compiledFileTags() {
		g.addFrame(f)
	}
}

// addForm adds the markers with which calls in one form begin.
func (g *grammar) addForm(f *form) {
	if !f.isBareJSON() {
		g.addFrame(f)
		return
	}
	d := f.compiledDialect
	g.addBare("{", "\"'", d)
	if d.Head.Array {
		g.addBare("[", "{", d)
	}
	if g.bare == nil {
		g.bare = d
	}
}

// lacksSection reports whether e begins a call outside the section that its dialect
// requires. Other interpretations of the marker take precedence.
func (e *entry) lacksSection() bool { return e.kind == entryFrame && e.form.enter != "" && !e.enters }

// isNew reports whether to add f. While the dialect is unknown, only the owner of a surface
// adds its form, and forms that begin with a word are excluded, except to recover calls of
// declared tools.
func (g *grammar) isNew(f *form) bool {
	switch {
	case g.surfaces == nil:
		return true
	case !f.isMarked() && !f.foreign:
		return false
	}
	surface := f.surface()
	if owner := g.owners[surface]; g.surfaces[surface] || owner != nil && owner.Name != f.Name {
		return false
	}
	g.surfaces[surface] = true
	return true
}

// addFrame adds the openers of a framed call: the section's, and the call's own.
func (g *grammar) addFrame(f *form) {
	if f.enter == "" && f.opener == "" {
		g.addNames(f)
	}
	for _, opener := range []lex.Pattern{f.enter, f.opener} {
		if opener == "" || opener == f.opener && (f.enter != "" && g.shared[opener] || f.inSectionAlone()) {
			continue
		}
		e := &entry{kind: entryFrame, marker: opener.Literal(), dialect: f.compiledDialect, form: f, at: f.Frame.At}
		if e.opening = f.opening; opener == f.enter {
			e.opening, e.enters = f.entering, true
		}
		g.add(e.marker, f.Folds() || f.file != nil, e)
		if len(e.marker) == 1 {
			g.followBy(e.marker[0], beginsName)
		}
	}
	if f.opener == "" && f.mayBegin('{') {
		g.addMember("{", f)
		if f.Head.Array {
			g.addMember("[", f)
		}
	}
	if f.leave != "" && !f.bare {
		g.addLeave(f.leave)
	}
}

// inSectionAlone reports whether the call's opener is a word that counts only inside its
// section, so that text is not searched for it.
func (f *form) inSectionAlone() bool {
	return f.enter != "" && f.opener != "" && lex.IsNameStart(f.opener[0])
}

// addLeave adds the closer of a section, with and without optional blanks.
func (g *grammar) addLeave(closer lex.Pattern) {
	for _, marker := range closer.Texts() {
		fence := strings.HasPrefix(marker, "```") // which may open one
		g.add(marker, false, &entry{kind: entryNoise, marker: marker, leaves: true, stray: !fence})
	}
}

// addNames adds the beginnings of calls without an opener: the names of declared tools. If
// no tools are declared, any name that begins the message is one.
func (g *grammar) addNames(f *form) {
	if len(g.tools) == 0 && g.start == nil && !f.foreign {
		g.start = &entry{kind: entryFrame, dialect: f.compiledDialect, form: f, at: dialect.AtStart, named: true}
	}
	added := make(map[string]bool, len(g.tools))
	for _, t := range g.tools {
		if t.Name == "" || added[t.Name] {
			continue
		}
		added[t.Name] = true
		g.add(t.Name, false, &entry{kind: entryFrame, marker: t.Name, dialect: f.compiledDialect, form: f, at: f.Frame.At, named: true})
		if len(t.Name) == 1 {
			g.followBy(t.Name[0], func(byte) bool { return true })
		}
	}
}

// addMember adds the first byte of a call in a section whose calls have no opener.
func (g *grammar) addMember(first string, f *form) {
	g.addBare(first, "{}\"'", f.compiledDialect)
	g.followBy(first[0], beginsName)
	e := g.nodes[g.next(0, first[0])].entry.last()
	e.kind, e.form, e.follow = entryMember, f, ""
}

// last returns the last interpretation of the marker.
func (e *entry) last() *entry {
	for e.next != nil {
		e = e.next
	}
	return e
}

// followBy allows the bytes of a set after the marker c.
func (g *grammar) followBy(c byte, in func(byte) bool) {
	group := g.group(c)
	for b := range g.second {
		if in(byte(b)) {
			g.second[b] |= group
		}
	}
}

// beginsName reports whether b may come before or begin a name after a marker of one byte.
func beginsName(b byte) bool { return lex.IsNameStart(b) || lex.IsBlank(b) }

// addBare adds the first byte of a call without markers. One of the bytes in follow, or a
// comment, must come next, after optional blanks.
func (g *grammar) addBare(first, follow string, d *compiledDialect) {
	follow += "/"
	g.add(first, false, &entry{kind: entryBare, marker: first, dialect: d, follow: follow})
	g.followBy(first[0], func(b byte) bool { return lex.IsBlank(b) || strings.IndexByte(follow, b) >= 0 })
}

// addCloser adds the closer of reasoning.
func (g *grammar) addCloser(pair dialect.Reasoning) {
	for _, m := range lineEnds(pair.Close) {
		g.add(m, false, &entry{kind: entryReasoningEnd, marker: m})
	}
	g.strays = append(g.strays, pair.Close)
}

// Inside inline code only a backtick and the end of the line matter, inside a fence only
// its own character.
var (
	inlineGrammar = watching('`', '\n')
	fenceGrammar  = watching('`')
	tildeGrammar  = watching('~')
)

func watching(bytes ...byte) *grammar {
	g := newGrammar()
	for _, c := range bytes {
		g.watch(c)
	}
	return g
}
