package wire

import (
	"crypto/sha256"
	"maps"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// Rule says which ids or names a wire accepts. For Options.IDs of a chat completion to
// Mistral, pass {Min: 9, Max: 9}.
type Rule struct {
	Min, Max   int    // bytes; a Max of 0 means no limit
	AnyChars   bool   // accept all characters
	OtherChars string // accepted besides ASCII letters and digits
	FirstChars string // accepted at the beginning besides letters; "" means any
}

// Renames replaces ids or names that a rule does not allow, and knows the way back.
// Allowed names stay, and no two sources get the same name. The result depends only on
// the sources and their order, so that the ids of a growing conversation stay the same.
// It is not safe for concurrent use.
//
// If no allowed name is free, which soon happens with names of one byte, a source keeps
// its name, or one that begins with it: it is better that the server rejects a name than
// that it confuses two.
//
// The zero value takes the rule of the first wire that it is used for.
type Renames struct {
	rule   Rule
	to     map[string]string // replacements by source, without names that stay
	from   map[string]string // sources by name
	tools  map[string]noted  // by source
	shared bool              // the maps belong to other renames, too
}

// noted is what is known about a tool besides its name.
type noted struct {
	native chat.Native
	custom bool
}

// NewRenames returns empty renames with a rule.
func NewRenames(rule Rule) *Renames {
	r := new(Renames)
	r.SetRule(rule)
	return r
}

// SetRule sets the rule, if there is none yet.
func (r *Renames) SetRule(rule Rule) {
	if r.from == nil {
		r.rule, r.from = rule, map[string]string{}
	}
}

// maxRoom limits the names for which Grow allocates memory: callers choose how many there are.
const maxRoom = 1 << 10

// Grow makes room for n names, if there is a rule and no name yet.
func (r *Renames) Grow(n int) {
	if r.from != nil && len(r.from) == 0 {
		r.from = make(map[string]string, min(n, maxRoom))
	}
}

// Fork returns a copy of r that may be changed. r must not be changed afterwards. The copy
// shares memory with r until it is changed, and costs nothing before.
func (r *Renames) Fork() *Renames {
	fork := *r
	fork.shared = true
	return &fork
}

// makePrivate copies the maps that r shares, before they are changed.
func (r *Renames) makePrivate() {
	if r.shared {
		r.to, r.from, r.tools, r.shared = maps.Clone(r.to), maps.Clone(r.from), maps.Clone(r.tools), false
	}
}

// Rename returns the name that replaces source, and whether it differs from source.
func (r *Renames) Rename(source string) (name string, changed bool) {
	if name, ok := r.to[source]; ok {
		return name, true
	}
	known, taken := r.from[source]
	if taken && known == source {
		return source, false
	}
	name = source
	for n := 0; taken || !r.rule.allows(name); n++ {
		if n == maxTries {
			name = r.free(source)
			break
		}
		name = r.rule.rewrite(source, n)
		taken = r.taken(name)
	}
	r.makePrivate()
	r.from[name] = source
	if name == source {
		return name, false
	}
	if r.to == nil {
		r.to = map[string]string{}
	}
	r.to[source] = name
	return name, true
}

// Source returns the source that a name replaces, or the name itself if Rename has not
// returned it.
func (r *Renames) Source(name string) string {
	if source, ok := r.from[name]; ok {
		return source
	}
	return name
}

// Has reports whether Rename has been called with a source.
func (r *Renames) Has(source string) bool {
	if _, changed := r.to[source]; changed {
		return true
	}
	known, ok := r.from[source]
	return ok && known == source
}

// CommonNames returns the rule for names of tools that every wire accepts: at most 64
// characters, and no digit at the beginning.
func CommonNames() Rule { return Rule{Max: 64, OtherChars: "_-", FirstChars: "_"} }

// Inverse returns renames from the new names back to their sources, without the names
// that did not change and that every wire accepts. It shares no memory with r. Do not call
// Rename on it.
func (r *Renames) Inverse() *Renames {
	back := new(Renames)
	for name, source := range r.from {
		if name == source && CommonNames().allows(name) {
			continue
		}
		if back.from == nil {
			back.from, back.to = map[string]string{}, map[string]string{}
		}
		name, source = strings.Clone(name), strings.Clone(source)
		if back.from[name] = source; name != source {
			back.to[source] = name
		}
	}
	for source, tool := range r.tools {
		if back.tools == nil {
			back.tools = map[string]noted{}
		}
		tool.native.Namespace, tool.native.Name = strings.Clone(tool.native.Namespace), strings.Clone(tool.native.Name)
		back.tools[strings.Clone(source)] = tool
	}
	return back
}

// NoteTool records what the tool's wire says about it besides its name, for Tool.
func (r *Renames) NoteTool(t chat.Tool) {
	if t.Native == (chat.Native{}) && !t.Custom {
		return
	}
	r.makePrivate()
	if r.tools == nil {
		r.tools = map[string]noted{}
	}
	r.tools[t.Name] = noted{t.Native, t.Custom}
}

// Tool returns what is known about the tool that a name stands for: its own name, what
// its wire says about it besides, and whether it takes free text.
func (r *Renames) Tool(name string) (source string, native chat.Native, custom bool) {
	source = r.Source(name)
	tool := r.tools[source]
	return source, tool.native, tool.custom
}

// maxTries bounds the search for a name that is allowed and free. Rules that allow more
// than a handful of names need one try.
const maxTries = 500

// free returns a name that no other source has, although the rule does not allow it.
func (r *Renames) free(source string) string {
	name := source
	for n := 2; r.taken(name); n++ {
		name = source + "_" + strconv.Itoa(n)
	}
	return name
}

func (r *Renames) taken(name string) bool {
	_, ok := r.from[name]
	return ok
}

func (r Rule) allows(s string) bool {
	if s == "" || len(s) < r.Min || r.Max > 0 && len(s) > r.Max {
		return false
	}
	if r.AnyChars {
		return true
	}
	if r.FirstChars != "" && !isLetter(s[0]) && strings.IndexByte(r.FirstChars, s[0]) < 0 {
		return false
	}
	for i := range len(s) {
		if !r.allowsByte(s[i]) {
			return false
		}
	}
	return true
}

func (r Rule) allowsByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte(r.OtherChars, c) >= 0
}

const (
	stemLength = 40 // bytes of the source to keep, so that a rewritten name is still readable
	hashLength = 10
)

// rewrite returns proposal n for a source that is not allowed: its allowed characters and
// a hash of all of it, or only the hash if there is not enough room.
func (r Rule) rewrite(source string, n int) string {
	hashed := source + "\x00" + strconv.Itoa(n)
	if r.Max > 0 && (r.Min == r.Max || r.Max < hashLength+2) {
		return r.begin(digest(hashed, r.Max))
	}
	room := stemLength
	if r.Max > 0 {
		room = min(room, r.Max-hashLength-2)
	}
	var b strings.Builder
	for i := 0; i < len(source) && b.Len() < room; i++ {
		c := source[i]
		if r.AnyChars && c >= 0x80 || !r.AnyChars && !r.allowsByte(c) {
			c = '_'
		}
		if b.Len() == 0 && r.FirstChars != "" && !isLetter(c) && strings.IndexByte(r.FirstChars, c) < 0 {
			b.WriteString(r.lead())
		}
		if c == '_' && !r.AnyChars && !r.allowsByte(c) {
			continue
		}
		b.WriteByte(c)
	}
	if b.Len() > 0 && (r.AnyChars || r.allowsByte('_')) {
		b.WriteByte('_')
	}
	if b.Len() == 0 {
		b.WriteByte('x')
	}
	b.WriteString(digest(hashed, max(hashLength, r.Min-b.Len())))
	return b.String()
}

// lead returns a prefix for names whose first character the rule does not allow.
func (r Rule) lead() string {
	if strings.Contains(r.FirstChars, "_") && (r.AnyChars || r.allowsByte('_')) {
		return "_"
	}
	return "x"
}

// begin replaces the first character of a digest if the rule does not allow it.
func (r Rule) begin(name string) string {
	if r.FirstChars == "" || isLetter(name[0]) {
		return name
	}
	return string('a'+name[0]%26) + name[1:]
}

// digest returns n letters and digits that depend on s.
func digest(s string, n int) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := make([]byte, 0, n)
	sum := sha256.Sum256([]byte(s))
	for len(out) < n {
		if len(out) > 0 && len(out)%len(sum) == 0 {
			sum = sha256.Sum256(sum[:])
		}
		out = append(out, digits[int(sum[len(out)%len(sum)])%len(digits)])
	}
	return string(out)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
