package parser

// pyFirst reads ahead, after the parenthesis that opens a call, whether arguments
// begin there: nothing, or a key with a value.
type pyFirst struct {
	at   pyAhead
	word []byte
}

type pyAhead uint8

const (
	pyAheadKey    pyAhead = iota // before a key
	pyAheadName                  // in it
	pyAheadEquals                // after it
	pyAheadValue                 // after the sign
	pyAheadWord                  // in a value that is a word
	pyAheadAfter                 // after it
)

// maxHyphens is how many hyphens a key may begin with that is an option.
const maxHyphens = 2

// take takes one byte. In a bare syntax a word must be a literal, and the next
// argument or the end must follow: anything else is code, or prose.
func (f *pyFirst) take(c byte, form *form) pyVerdict {
	bare, signs := form.bare, form.python
	switch f.at {
	case pyAheadName, pyAheadWord:
		if isPyWord(c) && len(f.word) < maxName {
			f.word = append(f.word, c)
			return pyUnsure
		}
		switch {
		case f.at == pyAheadName:
			f.at = pyAheadEquals
		case !isPyLiteral(f.word, c):
			return pyContent
		case c == '"' || c == '\'':
			return pyEnds
		default:
			f.at = pyAheadAfter
		}
	}
	if isBlank(c) {
		return pyUnsure
	}
	if f.at == pyAheadEquals && signs.options {
		f.at = pyAheadValue
	}
	switch f.at {
	case pyAheadKey:
		if c == '-' && signs.options && len(f.word) < maxHyphens {
			f.word = append(f.word, c)
			return pyUnsure
		}
		if !isNameStart(c) {
			return ends(c == signs.end)
		}
		f.at, f.word = pyAheadName, append(f.word[:0], c)
	case pyAheadEquals:
		if c != '=' {
			return pyContent
		}
		f.at = pyAheadValue
	case pyAheadValue:
		if isPyWord(c) && bare {
			f.at, f.word = pyAheadWord, append(f.word[:0], c)
			return pyUnsure
		}
		return ends(isPyWord(c) || c == '"' || c == '\'' || c == '[' || c == '{' || c == '(')
	case pyAheadAfter:
		return ends(c == ',' || c == signs.end)
	}
	return pyUnsure
}

// frameArgs reads what follows the parenthesis after a name. Only if that can be
// arguments, was the name a tool's.
func (p *Parser) frameArgs(in string, i int) int {
	m := p.machineOf(ArgsPython).(*python)
	for ; i < len(in); i++ {
		switch m.first.take(in[i], p.frame.form) {
		case pyEnds:
			return p.openCallAt(in, i)
		case pyContent:
			return p.reject(in, i)
		}
	}
	return i
}

// beginFrameArgs is after the parenthesis.
func (p *Parser) beginFrameArgs() {
	p.frame.phase = frameArgs
	first := &p.machineOf(ArgsPython).(*python).first
	first.at, first.word = pyAheadKey, first.word[:0]
}
