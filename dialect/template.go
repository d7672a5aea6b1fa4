package dialect

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// isTemplate reports whether a text is the source of a chat template.
func isTemplate(text string) bool {
	return strings.Contains(text, "{%") && strings.Contains(text, "%}")
}

// unknown stands for output of a template that its source does not reveal.
const unknown = "\x00"

// rendered is the output of a chat template as far as its source reveals it: the text
// between tags and the strings inside them, with constants resolved. This finds markers
// that the source assembles from pieces. Assignments are the only statements that count.
type rendered struct {
	out     strings.Builder
	parts   [][2]int // offset in out and offset in the source
	trimmed bool     // the following blanks are not written
	consts  map[string]string
}

// render renders the source of a template.
func render(source string) *rendered {
	r := &rendered{consts: map[string]string{}}
	for at := 0; at < len(source); {
		n := strings.IndexByte(source[at:], '{')
		if n < 0 || at+n+1 == len(source) {
			r.text(source[at:], at)
			break
		}
		open := at + n
		var end string
		switch source[open+1] {
		case '{':
			end = "}}"
		case '%':
			end = "%}"
		case '#':
			end = "#}"
		default:
			r.text(source[at:open+1], at)
			at = open + 1
			continue
		}
		inner, next := tagOf(source, open+2, end)
		before := source[at:open]
		switch {
		case strings.HasPrefix(inner, "-"):
			before = strings.TrimRight(before, " \t\r\n")
		case end != "}}": // Transformers omits the blanks before a statement
			before = strings.TrimRight(before, " \t")
		}
		r.text(before, at)
		r.trimmed = strings.HasSuffix(inner, "-")
		switch body := strings.Trim(inner, "-+"); end {
		case "}}":
			r.add(r.fold(body), open)
		case "%}":
			r.statement(body, open)
			if !r.trimmed && strings.HasPrefix(source[next:], "\n") {
				next++
			}
		}
		at = next
	}
	return r
}

// tagOf returns the text inside a tag up to its end, and the offset after the end. Ends
// inside strings do not count.
func tagOf(source string, from int, end string) (inner string, next int) {
	var quote byte
	for i := from; i < len(source); i++ {
		switch c := source[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case strings.HasPrefix(source[i:], end):
			return source[from:i], i + len(end)
		case (c == '\'' || c == '"') && end != "#}":
			quote = c
		}
	}
	return source[from:], len(source)
}

// text adds text between tags, from an offset of the source.
func (r *rendered) text(text string, at int) {
	if r.trimmed {
		cut := strings.TrimLeft(text, " \t\r\n")
		at += len(text) - len(cut)
		text = cut
	}
	if text != "" {
		r.trimmed = false
	}
	r.add(text, at)
}

// add adds output that comes from an offset of the source.
func (r *rendered) add(text string, at int) {
	if text == "" {
		return
	}
	r.parts = append(r.parts, [2]int{r.out.Len(), at})
	r.out.WriteString(text)
}

// source maps an offset of the output to one of the source.
func (r *rendered) source(at int) int {
	n, found := slices.BinarySearchFunc(r.parts, at, func(p [2]int, at int) int { return p[0] - at })
	switch {
	case found:
		return r.parts[n][1]
	case n == 0:
		return at
	}
	p := r.parts[n-1]
	last := len(r.parts) == n
	if inner := at - p[0]; last || p[1]+inner < r.parts[n][1] {
		return p[1] + inner
	}
	return p[1]
}

// statement handles an assignment. The value may be written somewhere, so it counts as
// output.
func (r *rendered) statement(body string, at int) {
	body, ok := strings.CutPrefix(strings.TrimSpace(body), "set ")
	if !ok {
		return
	}
	name, value, ok := strings.Cut(body, "=")
	if !ok {
		return
	}
	text := r.fold(value)
	if !strings.Contains(text, unknown) {
		r.consts[strings.TrimSpace(name)] = text
	}
	r.add(unknown+text+unknown, at)
}

// fold returns the output of an expression: its strings and constants, and unknown for
// everything else.
func (r *rendered) fold(body string) string {
	var b strings.Builder
	hide := func() {
		if s := b.String(); s == "" || s[len(s)-1] != unknown[0] {
			b.WriteString(unknown)
		}
	}
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == '\'' || c == '"':
			text, next := stringOf(body, i)
			rest := strings.TrimLeft(body[next:], " \t\n")
			switch {
			case strings.HasPrefix(rest, ":"): // a member of an object that becomes JSON
				text = `"` + text + `": `
				next = len(body) - len(rest) + 1
			case strings.HasPrefix(rest, ".format("):
				from := len(body) - len(rest) + len(".format(")
				arg, _, _ := strings.Cut(body[from:], ")")
				if value, ok := r.consts[strings.TrimSpace(arg)]; ok {
					text = strings.ReplaceAll(text, "{}", value)
					next = from + len(arg) + 1
				}
			}
			b.WriteString(text)
			i = next
		case lex.IsNameStart(c):
			end := i
			for end < len(body) && (isWord(body[end]) || strings.IndexByte(".[]'\"", body[end]) >= 0) {
				end++
			}
			name := body[i:end]
			value, known := r.consts[name]
			switch {
			case known:
				b.WriteString(value)
			case strings.HasSuffix(name, ".type"), strings.HasSuffix(name, "['type']"), strings.HasSuffix(name, `["type"]`):
				b.WriteString("function") // the type of every call
			default:
				hide()
			}
			i = end
		case strings.IndexByte("+~() \t\r\n", c) >= 0:
			i++
		default:
			hide()
			i++
		}
	}
	return b.String()
}

// isWord reports whether c may occur in the name of a variable.
func isWord(c byte) bool { return lex.IsLetter(c) || '0' <= c && c <= '9' || c == '_' }

// stringOf parses the string that begins at body[i], and returns the offset after it.
func stringOf(body string, i int) (text string, next int) {
	var b strings.Builder
	quote := body[i]
	for i++; i < len(body) && body[i] != quote; i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		switch body[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			b.WriteByte(body[i])
		}
	}
	return b.String(), min(i+1, len(body))
}
