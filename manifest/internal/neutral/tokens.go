package neutral

import "strings"

// turnTokens are the words between which chat templates put turns, where these do not
// have the form of most special tokens. A text that is not the model's must not hold
// one: what follows would be read as a turn of its own, of any role.
var turnTokens = []string{
	"<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<bos>", "<eos>", "<s>", "</s>", "[BOS]", "[EOS]",
	"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
	"]~!b[", "]~b]", "[e~[", "<role>", "</role>", "<seed:bos>", "<seed:eos>", "[gMASK]", "<sop>", "<_user>", "<_bot>", "<_system>", "<SPECIAL_", "<extra_id_",
}

// isToken reports whether s begins with a special token of a chat template: one between
// <| and |>, whatever its name and however it writes the bars, or one of turnTokens.
func isToken(s string) bool {
	if s[0] != '<' && s[0] != '[' && s[0] != ']' {
		return false
	}
	for _, open := range []string{"<|", "<｜"} {
		name, ok := strings.CutPrefix(s, open)
		if !ok {
			continue
		}
		end := strings.IndexFunc(name, func(r rune) bool {
			return !(r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("_-/:. ▁", r))
		})
		if end <= 0 || end > maxToken || name[0] == ' ' {
			return false
		}
		name = name[end:]
		return name[0] == '>' || strings.HasPrefix(name, "|>") || strings.HasPrefix(name, "｜>")
	}
	for _, token := range turnTokens {
		if strings.HasPrefix(s, token) {
			return true
		}
	}
	return false
}

// maxToken is how long the name of a special token may be, in bytes.
const maxToken = 64
