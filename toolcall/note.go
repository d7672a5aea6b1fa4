package toolcall

// Note says why something that looks like a call is not one.
type Note struct {
	Kind    NoteKind
	Offset  int64  // byte offset of the candidate in the raw bytes; 0 if it is in the prefill
	End     int64  // byte offset after what was read of it
	Dialect string // the dialect in which it was read, or would be
	Tool    string // the tool that it names, if that is certain
	Rule    string // in words for people. NoteCandidate: why it failed; NoteUnread: why auto does not read it, if so; NoteFault: what is wrong, and where
	Choice  int    // NoteChoice: the candidate of the answer that makes the call
}

// NoteKind says what a note is about.
type NoteKind uint8

// The kinds of note.
const (
	NoteCandidate NoteKind = iota // a candidate did not become a call
	NoteUnread                    // text contains a complete call in a dialect that is not being read
	NoteReasoning                 // reasoning contains a complete call, which does not count there
	NoteCut                       // the text after a call looks like the rest of the call's last string, whose quotes are not escaped
	NoteChoice                    // another candidate of the answer, which is not being read, makes a call
	NoteFault                     // part of a complete answer has the wrong type and was omitted
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
