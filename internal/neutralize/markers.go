package neutralize

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// markers must not occur in a text that the model did not write.
type markers struct {
	byFirst [256][]string
	fold    bool // ASCII letters match in any case
}

// markersOf returns the markers of a dialect: each as it is written, and each token in it.
func markersOf(d *dialect.Dialect, tools []toolcall.ToolDefinition) *markers {
	m := &markers{fold: d.Folds()}
	r := d.ResultForm()
	m.add(r.Turn.Open, r.Turn.Close, r.Result.Open, r.Result.Close, r.Between)
	for _, f := range d.Forms() {
		a := &f.Args
		if f.Frame.Call.Open != "call:" { // which prose contains, too; reader finds such calls
			m.add(f.Frame.Call.Open)
		}
		m.add(f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Close, f.Head.End, f.Head.ID, f.Head.Lead)
		m.add(f.Frame.Closers...)
		m.add(a.KeyMark.Open, a.KeyMark.Close, a.TypeMark.Open, a.TypeMark.Close, a.ValueMark.Open, a.ValueMark.Close)
		m.add(a.Closers...)
		m.add(a.Until...)
		if a.Form == dialect.ArgsTags {
			m.add("<"+dialect.WrapperTag, "</"+dialect.WrapperTag, "<"+dialect.ArgTag, "</"+dialect.ArgTag)
		}
		if f.Head.Form == dialect.HeadLiteral && f.Frame.Call.Open == "<" {
			for _, t := range tools {
				m.add("<"+t.Name, "</"+t.Name)
			}
		}
	}
	for _, pair := range d.Reasoning {
		m.add(pair.Open, pair.Close)
	}
	for _, s := range d.FileTags() {
		m.add("<"+s.Tag, "</"+s.Tag)
	}
	for _, pair := range []dialect.Pair{d.Written.Reasoning, d.Written.Text, {Open: d.Written.Call}} {
		m.add(pair.Open, pair.Close)
	}
	m.add(d.Noise...)
	m.add(d.Stops()...)
	for _, list := range [][]string{d.Channels.Open, d.Channels.Within, d.Channels.Message, d.Channels.Close} {
		m.add(list...)
	}
	return m
}

// shortest is the minimum length of a marker. Shorter ones occur in any text, and mean
// nothing by themselves.
const shortest = 3

func (m *markers) add(texts ...string) {
	for _, text := range texts {
		whole, _, _ := strings.Cut(text, "{") // up to a slot
		if whole = strings.TrimSpace(whole); strings.Trim(whole, letters) == "" {
			m.insert(whole) // a word such as functools, but the dialect's own
			continue
		}
		m.addOne(whole)
		for line := range strings.SplitSeq(whole, "\n") {
			m.addOne(strings.TrimSpace(line))
		}
		for _, token := range Tokens(text) {
			m.addOne(token)
		}
	}
}

func (m *markers) addOne(s string) {
	if s != "```json" && strings.Trim(s, wordBytes) != "" {
		m.insert(s)
	}
}

func (m *markers) insert(s string) {
	if len(s) < shortest {
		return
	}
	if m.fold {
		s = strings.ToLower(s)
	}
	if list := &m.byFirst[s[0]]; !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

const letters = "abcdefghijklmnopqrstuvwxyz"

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. "

// Tokens returns the parts of a marker in angle or square brackets. The last part may lack
// its closing bracket.
func Tokens(s string) []string {
	var list []string
	for {
		from := strings.IndexAny(s, "<[")
		if from < 0 {
			return list
		}
		s = s[from:]
		closer := ">"
		if s[0] == '[' {
			closer = "]"
		}
		end := strings.Index(s, closer)
		if end < 0 {
			word, _, _ := strings.Cut(s, " ")
			return append(list, strings.TrimSpace(word))
		}
		list = append(list, s[:end+1])
		s = s[end+1:]
	}
}

// find returns the offsets of the markers in s.
func (m *markers) find(s string) []int {
	var cuts []int
	for at := range len(s) {
		if m.at(s, at) {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

// at reports whether a marker begins at s[at].
func (m *markers) at(s string, at int) bool {
	if isToken(s[at:]) {
		return true
	}
	first := s[at]
	if m.fold && first >= 'A' && first <= 'Z' {
		first |= 0x20
	}
	for _, marker := range m.byFirst[first] {
		if len(s)-at < len(marker) {
			continue
		}
		here := s[at : at+len(marker)]
		if here == marker || m.fold && strings.EqualFold(here, marker) && strings.ToLower(here) == marker {
			return true
		}
	}
	return false
}

// turnTokens are tokens with which chat templates separate turns, and that do not have the
// form of most special tokens. If a text contained one, the model would read what follows as
// another turn, of any role.
var turnTokens = []string{
	"<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<bos>", "<eos>", "<s>", "</s>", "[BOS]", "[EOS]",
	"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
	"]~!b[", "]~b]", "[e~[", "<role>", "</role>", "<seed:bos>", "<seed:eos>", "[gMASK]", "<sop>", "<_user>", "<_bot>", "<_system>", "<SPECIAL_", "<extra_id_",
}

// isToken reports whether s begins with a special token of a chat template: any name between
// <| and |>, with any kind of bars, or one of turnTokens.
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

// maxToken is the maximum length of a special token's name, in bytes.
const maxToken = 64

// Reserved returns the marker that would be read as a call of a tool of this name, or "". In
// a dialect whose calls begin with < and the tool's name, a tag around results is a call of a
// tool with the name of the tag. markup lists other texts that prompts contain.
func Reserved(d *dialect.Dialect, name string, markup ...string) string {
	r := d.ResultForm()
	markup = append(markup, r.Turn.Open, r.Turn.Close, r.Result.Open, r.Result.Close, r.Between)
	for _, f := range d.Forms() {
		if f.Head.Form != dialect.HeadLiteral || f.Frame.Call.Open == "" {
			continue
		}
		for _, text := range markup {
			for _, token := range Tokens(text) {
				rest, ok := strings.CutPrefix(token, f.Frame.Call.Open+f.Head.Prefix+name)
				if ok && (rest == "" || !IsName(rest[0])) {
					return token
				}
			}
		}
	}
	return ""
}

// IsName reports whether names may contain a byte, which then is no markup.
func IsName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_-.:", c) >= 0
}
