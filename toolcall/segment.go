package toolcall

// SegmentType says what a run of output is. Dialects that have a special tag for a tool
// may use further types.
type SegmentType string

// The segment types that all dialects and wires share.
const (
	SegmentText      SegmentType = "text"
	SegmentReasoning SegmentType = "reasoning"
	SegmentRefusal   SegmentType = "refusal"    // text that the provider marks as a refusal
	SegmentToolCall  SegmentType = "tool_call"  // content: the arguments, as one JSON object
	SegmentWriteFile SegmentType = "write_file" // content: the file, decoded
	SegmentEditFile  SegmentType = "edit_file"  // content: the patch, decoded
	SegmentRunBash   SegmentType = "run_bash"   // content: the command, decoded
)

// IsCall reports whether a segment of this type is a tool call: every type is, except
// text, reasoning and refusal.
func (t SegmentType) IsCall() bool {
	switch t {
	case SegmentText, SegmentReasoning, SegmentRefusal, "":
		return false
	}
	return true
}
