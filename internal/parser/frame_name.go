package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// names records name as the tool's name, and reports whether it can be one. A word with a
// colon after it introduces what follows, as in "Call:".
func (p *Parser) names(name string) bool {
	f := &p.frame
	name, ok := p.messageNames(f.form.compiledDialect, name)
	if !ok || len(name) > lex.MaxName || strings.HasSuffix(name, ":") || !p.mayCall(f.form.compiledDialect, name, f.form.bare || p.tools != nil && p.lacksSection()) {
		return false
	}
	f.tool = name
	f.form = f.form.forName(name, &f.named)
	return true
}

// frameName is the stage in a literal name.
type frameName struct{ inHead }

func (frameName) read(p *Parser, in string, i int) int {
	f := &p.frame
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case f.form.stops[c], (c == '\n' || c == '\r') && (len(f.name) == 0 || !f.form.inTag()):
			if (lex.IsBlank(c) || !f.form.stops[c]) && len(lex.TrimBlanks(string(f.name))) == 0 { // blanks before the name
				continue
			}
			p.stage, f.mark = frameNameEnd{}, p.at(i)
			f.match.Reset(f.form.names)
			return i
		case len(f.name) > lex.MaxName, c < ' ' && !lex.IsBlank(c), isNoName(c) && (c != '"' || !f.form.inTag()):
			return p.reject(in, i)
		case f.form.plain && len(f.name) == 0 && !lex.IsNameStart(c):
			if !lex.IsBlank(c) {
				return p.reject(in, i)
			}
			continue
		case f.form.plain && !lex.IsName(c) && !lex.IsBlank(c) && c != '/':
			return p.reject(in, i)
		}
		from := i // and with it what follows, as long as it may be in any name
		for end := min(len(in)-1, from+lex.MaxName-len(f.name)); i < end && lex.IsName(in[i+1]) && !f.form.stops[in[i+1]]; {
			i++
		}
		f.name = append(f.name, in[from:i+1]...)
	}
	return i
}

// isNoName reports whether c cannot occur in a literal name, because it belongs to JSON,
// markup or prose.
func isNoName(c byte) bool { return noNameBytes[c] }

var noNameBytes = func() (t [256]bool) {
	for _, c := range []byte("{}[]()\"<>=,;`") {
		t[c] = true
	}
	return t
}()

// frameNameEnd is the stage at a possible end of a literal name.
type frameNameEnd struct{ inHead }

func (frameNameEnd) end(p *Parser) bool { return p.endName(!p.frame.form.bare && p.nameRead()) }

func (frameNameEnd) read(p *Parser, in string, i int) int {
	f := &p.frame
	if f.form.blank && p.at(i) == f.mark && i < len(in) && lex.IsBlank(in[i]) {
		if !p.nameRead() {
			return p.reject(in, i)
		}
		return p.headEnds(in, i+1)
	}
	if f.match.IsAtStart() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		f.mark = p.at(i)
	}
	which, next := f.match.Match(in, i)
	if which == lex.MatchMore {
		return next
	}
	if which >= 0 && f.form.ends[which] == nameNone {
		return p.emptySection(in, next)
	}
	if which == lex.MatchNone {
		return p.reject(in, next)
	}
	key := 0
	if f.form.ends[which] == nameKey {
		key = p.splitName()
	}
	if !p.nameRead() {
		return p.reject(in, next)
	}
	f.mark -= int64(key)
	switch f.form.ends[which] {
	case nameID:
		p.stage = frameID{}
		return next
	case nameEnds:
		return p.headEnds(in, next)
	}
	f.body = f.mark
	return p.openCallAt(in, next)
}

// splitName removes the key, which lacks its opener, from the name before it, and returns the
// length of the key with the blanks around it. Without a blank between them, the name is a declared
// tool, and the key one of its parameters.
func (p *Parser) splitName() (key int) {
	text := string(p.frame.name)
	n := 0
	for name, s := range p.tools {
		if rest, ok := strings.CutPrefix(text, name); ok && len(name) > n && s.Declares(lex.TrimBlanks(rest)) {
			n = len(name)
		}
	}
	if n == 0 {
		n = max(0, strings.LastIndexAny(lex.TrimBlanks(text), " \t"))
	}
	p.frame.name = p.frame.name[:n]
	return len(text) - n
}

// nameRead handles a complete literal name, and reports whether it is valid.
func (p *Parser) nameRead() bool {
	f := &p.frame
	head := &f.form.Head
	whole := lex.TrimBlanks(p.recent().String(f.name))
	if cut, ok := strings.CutSuffix(whole, `\n`); ok && !p.declares(whole) { // an escaped newline
		whole = lex.TrimBlanks(cut)
	}
	name := whole
	f.nameless = false
	if head.Index != "" {
		if n := strings.LastIndex(whole, head.Index); n >= 0 && lex.IsDigits(whole[n+len(head.Index):]) {
			name, f.callID = whole[:n], whole
		} else {
			f.nameless = p.tools != nil && !p.declares(strings.TrimPrefix(whole, head.Prefix))
		}
	}
	name = strings.TrimPrefix(name, head.Prefix)
	declared := p.declares(name)
	if f.form.inTag() && !declared {
		if cut, ok := strings.CutSuffix(name, "/"); ok {
			name, f.single = lex.TrimBlanks(cut), true
		}
		if inner, ok := lex.Unquoted(name); ok {
			name = inner
		} else if n := len(name); n > 2 && name[0] == '"' && name[n-1] == '"' {
			if p.declares(name[1 : n-1]) {
				name = name[1 : n-1]
			}
			return p.names(name)
		}
		declared = p.declares(name)
	}
	if !declared && strings.ContainsAny(name, f.form.noName) {
		return false
	}
	return p.names(name)
}

// inTag reports whether a literal name is inside a tag.
func (f *form) inTag() bool { return strings.HasPrefix(f.Head.End, ">") }

// frameID is the stage in an id before or after the name.
type frameID struct{ inHead }

func (frameID) end(p *Parser) bool { return p.endName(!p.frame.form.bare && !p.frame.leads) }

func (frameID) read(p *Parser, in string, i int) int {
	f := &p.frame
	ends := f.form.id
	if f.leads {
		ends = f.form.lead
	}
	for ; i < len(in); i++ {
		if in[i] == ends.Patterns[0][0] {
			f.callID = lex.TrimBlanks(string(f.id))
			p.stage = frameIDEnd{}
			f.match.Reset(ends)
			return i
		}
		if len(f.id) > lex.MaxName {
			return p.reject(in, i)
		}
		f.id = append(f.id, in[i])
	}
	return i
}

// frameIDEnd is the stage at a possible end of an id.
type frameIDEnd struct{ frameID }

func (frameIDEnd) read(p *Parser, in string, i int) int {
	which, next := p.frame.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.reject(in, next)
	}
	if f := &p.frame; f.leads {
		f.leads, p.stage = false, frameName{}
		return next
	}
	return p.headEnds(in, next)
}

// emptySection handles a section without a call, which is noise and not text.
func (p *Parser) emptySection(in string, i int) int {
	if f := &p.frame; !f.entered || len(lex.TrimBlanks(string(f.name))) > 0 || p.reasoning != nil {
		return p.reject(in, i)
	}
	return p.noise(&entry{}, in, i)
}
