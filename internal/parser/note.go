package parser

import "github.com/toolparse/toolparse/toolcall"

// The rules, besides those for undeclared tools.
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

// maxNotes limits the notes of a stream.
const maxNotes = 1000

// note records a note about the current candidate, which has failed before in[i].
func (p *Parser) note(i int) {
	n := toolcall.Note{Offset: p.inStream(p.cand), End: p.inStream(p.at(i)), Rule: p.rejectRule}
	p.rejectRule = ""
	if n.End-n.Offset == 1 {
		return // only how the stream is split makes such a byte a candidate: the next one rules it out
	}
	if !p.stage.note(p, &n) {
		return
	}
	if notes := p.opts.Notes; len(*notes) < maxNotes {
		*notes = append(*notes, n)
	}
}

// setRule sets the rule of a note, unless a more specific one rejected the candidate.
func setRule(n *toolcall.Note, rule string) {
	if n.Rule == "" {
		n.Rule = rule
	}
}
