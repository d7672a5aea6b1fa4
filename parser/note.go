package parser

// Note says why something that looks like a call is none.
type Note struct {
	Kind    NoteKind
	Offset  int64  // of its first byte, in the raw bytes; 0 where that is in the prefill
	End     int64  // of what was read of it
	Dialect string // in which it was read, or would be
	Tool    string // that it calls, or names, where that is sure
	Rule    string // NoteCandidate: that it failed by; NoteUnread: why auto does not read it, if so; NoteFault: where and what is wrong; in words for people
	Choice  int    // NoteChoice: the candidate of the answer that makes the call
}

// NoteKind is what a note is about.
type NoteKind uint8

const (
	NoteCandidate NoteKind = iota // a candidate for a call did not become one
	NoteUnread                    // text holds a whole call in a dialect that is not being read
	NoteReasoning                 // reasoning holds a whole call, which does not count there
	NoteCut                       // the text after a call looks like the rest of its last string, whose quotes lack a backslash
	NoteChoice                    // a candidate of the answer that is not being read makes a call
	NoteFault                     // something in a whole answer is of a wrong type, and left out
)

var noteKindNames = [...]string{
	NoteCandidate: "candidate", NoteUnread: "unread", NoteReasoning: "reasoning", NoteCut: "cut", NoteChoice: "choice", NoteFault: "fault",
}

// String returns the kind in lower case.
func (k NoteKind) String() string {
	if int(k) < len(noteKindNames) {
		return noteKindNames[k]
	}
	return "unknown"
}

// The rules, beside those of undeclared tools.
const (
	ruleOpener     = "unexpected text after the opener"
	ruleTag        = "the opening tag is invalid or has no tool name"
	ruleBody       = "the text after the opening tag is not the body of a call"
	ruleHeader     = "the header is not a JSON object with a segment type and a tool name"
	ruleName       = "no tool name after the opener"
	ruleFirst      = "the text after the tool name is not arguments"
	ruleEnvelope   = "no tool name or no arguments in the JSON"
	ruleReasoning  = "an opener of reasoning counts only at the beginning of a line"
	ruleHeading    = "the header is not a valid message header"
	ruleOwn        = "the message is for a built-in tool of the model that is not declared"
	ruleRecipient  = "the call names another tool than its message"
	ruleNameless   = "neither the id nor the arguments identify a tool"
	ruleUndeclared = "the tool is not declared"
	ruleByName     = "without tools, only the dialect's name selects it"
	ruleContent    = "the declared tool has no parameter for the content of this tag"
)

// maxNotes bounds the notes of a stream.
const maxNotes = 1000

// note keeps a note of the candidate at hand, which has failed before in[i].
func (p *Parser) note(i int) {
	n := Note{Offset: p.inStream(p.cand), End: p.inStream(p.at(i)), Rule: p.rejectRule}
	p.rejectRule = ""
	rule := ""
	switch p.state {
	case stateEnvelope:
		if p.envelope.dialect == nil {
			return
		}
		n.Dialect, rule = p.envelope.dialect.Name, ruleEnvelope
		if !p.envelope.seemsCall() && n.Rule == "" {
			return // some other JSON, or prose in brackets
		}
		if s := &p.envelope.spec; !s.described && s.args == argsAbsent {
			n.Tool = s.name
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
		case frameHeader, frameAlone:
			rule = ruleHeader
		case frameFirst, frameAhead:
			if rule = ruleFirst; p.frame.form.sealed {
				rule = ruleBody
			}
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
