package parser

// Note says why something that looks like a call is none.
type Note struct {
	Kind    NoteKind
	Offset  int64  // of its first byte, in the raw bytes; 0 where that is in the prefill
	End     int64  // of what was read of it
	Dialect string // in which it was read, or would be
	Tool    string // that it calls, where that is sure
	Rule    string // NoteCandidate: that it failed by, in words for people
}

// NoteKind is what a note is about.
type NoteKind uint8

const (
	NoteCandidate NoteKind = iota // a candidate for a call did not become one
	NoteUnread                    // text holds a whole call in a dialect that is not being read
	NoteReasoning                 // reasoning holds a whole call, which does not count there
)

// The rules, beside those of undeclared tools.
const (
	ruleOpener     = "the opener does not go on as it should"
	ruleTag        = "the opening tag is none, or names no tool"
	ruleBody       = "what follows the opening tag cannot be a call's body"
	ruleHeader     = "the header is no JSON object that names a segment and a tool"
	ruleName       = "no name of a tool follows the opener"
	ruleFirst      = "what follows the name cannot be arguments"
	ruleEnvelope   = "the JSON is no call, or has no sure name and arguments"
	ruleReasoning  = "an opener of reasoning must begin its line"
	ruleHeading    = "the header does not go on as a message's does"
	ruleOwn        = "the message is for a tool of the model's own, which is not declared"
	ruleRecipient  = "the call is of another tool than its message is for"
	ruleNameless   = "the id names no tool, and the arguments tell none"
	ruleUndeclared = "the tool is not declared"
	ruleContent    = "the tool that is declared has no parameter for the content of this tag"
)

// maxNotes bounds the notes of a stream.
const maxNotes = 1000

// note keeps a note of the candidate at hand, which has failed before in[i].
func (p *Parser) note(i int) {
	n := Note{Offset: p.inStream(p.cand), End: p.inStream(p.at(i)), Rule: p.why}
	p.why = ""
	rule := ""
	switch p.state {
	case stateTag:
		n.Dialect, rule = p.tag.dialect.Name, ruleTag
	case stateOpener:
		n.Dialect, rule = p.tag.dialect.Name, ruleBody
	case stateHeader:
		n.Dialect, rule = p.head.dialect.Name, ruleHeader
	case stateEnvelope:
		if p.envelope.dialect == nil {
			return
		}
		n.Dialect, rule = p.envelope.dialect.Name, ruleEnvelope
		if !p.envelope.seemsCall() && n.Rule == "" {
			return // some other JSON, or prose in brackets
		}
	case stateHeading:
		n.Dialect, rule = p.heading.form.dialect.Name, ruleHeading
	case stateFrame:
		n.Dialect = p.frame.form.Name
		switch p.frame.phase {
		case frameOpener:
			rule = ruleOpener
		case frameJSON:
			rule = ruleEnvelope
		case frameTag:
			rule = ruleTag
		case frameFirst, frameArgs:
			rule = ruleFirst
		default:
			rule = ruleName
		}
	default:
		return // no more than the beginning of a marker
	}
	if n.Rule == "" {
		n.Rule = rule
	}
	if notes := p.opts.Notes; len(*notes) < maxNotes {
		*notes = append(*notes, n)
	}
}

// seemsCall reports whether an envelope had anything of a call.
func (e *envelope) seemsCall() bool {
	return e.framed || e.spec.name != "" || e.spec.args != argsAbsent || e.peekMode != peekNot
}
