package toolcall

// SegmentType is the meaning of a run of output. Dialects with tags of their
// own for a tool may add types beyond the ones named here.
type SegmentType string

// The segment types that every dialect and wire shares.
const (
	SegmentText      SegmentType = "text"
	SegmentReasoning SegmentType = "reasoning"
	SegmentRefusal   SegmentType = "refusal"    // what a provider's wire keeps apart as the model's refusal
	SegmentToolCall  SegmentType = "tool_call"  // content: the arguments, as one JSON object
	SegmentWriteFile SegmentType = "write_file" // content: the file, decoded
	SegmentEditFile  SegmentType = "edit_file"  // content: the patch, decoded
	SegmentRunBash   SegmentType = "run_bash"   // content: the command, decoded
)

// IsCall reports whether a segment of this type is a tool call, whatever its
// surface: everything but text, reasoning and refusals is.
func (t SegmentType) IsCall() bool {
	switch t {
	case SegmentText, SegmentReasoning, SegmentRefusal, "":
		return false
	}
	return true
}
