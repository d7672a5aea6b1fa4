package parser

// lineStart says what precedes a place in its line. Lower values win when they are
// combined.
type lineStart uint8

const (
	lineText   lineStart = iota // text
	lineQuoted                  // blanks and the marks of a quotation or a list item: "> ", "- ", "1. "
	lineBlank                   // only blanks, or nothing
)

// after returns what precedes the byte after c, if l precedes c.
func (l lineStart) after(c byte) lineStart {
	if c == '\n' {
		return lineBlank
	}
	return min(l, lineOf[c])
}

// lineOf is what a line that consists of one byte is.
var lineOf = func() (of [256]lineStart) {
	for _, c := range []byte(">-*+.)0123456789") {
		of[c] = lineQuoted
	}
	for _, c := range []byte(" \t\r\n") {
		of[c] = lineBlank
	}
	return of
}()

// linePlace is a place in the input at hand whose lineStart is known.
type linePlace struct {
	at   int
	line lineStart
}

// lineAt returns what precedes in[i] in its line. It looks back only to the place of the
// last query.
func (p *Parser) lineAt(in string, i int) lineStart {
	from := linePlace{0, p.line}
	if p.noiseEnd >= p.off { // noise is not text: the line begins after it
		from = linePlace{int(min(p.noiseEnd-p.off, int64(i))), lineBlank}
	}
	if p.lined.at > from.at && p.lined.at <= i {
		from = p.lined
	}
	p.work += int64(i - from.at)
	p.lined = linePlace{i, lineAfter(in[from.at:i], from.line)}
	return p.lined.line
}

// lineEnd returns what precedes the byte after in in its line. For short chunks, of which
// there are many, it tries the last byte first, which decides if it is text.
func (p *Parser) lineEnd(in string) lineStart {
	if n := len(in); n > 0 && n <= shortChunk && lineOf[in[n-1]] == lineText && p.noiseEnd < p.at(n) {
		return lineText
	}
	return p.lineAt(in, len(in))
}

// lineAfterChunk is lineAfter for a chunk that is not empty. It is small enough to be inlined.
func lineAfterChunk(chunk string, l lineStart) lineStart {
	if lineOf[chunk[len(chunk)-1]] == lineText {
		return lineText
	}
	return lineAfter(chunk, l)
}

// lineAfter returns what precedes the byte after raw, if l precedes raw. If it were inlined,
// lineAfterChunk would be too large for that.
//
//go:noinline
func lineAfter(raw string, l lineStart) lineStart {
	start := lineBlank
	for i := len(raw) - 1; i >= 0 && start != lineText; i-- {
		if raw[i] == '\n' {
			return start
		}
		start = min(start, lineOf[raw[i]])
	}
	return min(start, l)
}
