package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/agent"
)

var readTools = []*entry{
	{
		name: "read_file", description: "Reads a text file of the workspace, or a range of its lines. Each line has its number in front, as in \"12: text\"; the number is not part of the file.",
		category: fileRead, from: minimal, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).readFile), shell: "cat -n FILE",
	},
	{
		name: "read_lines", description: "Reads a range of the lines of a text file.", like: "read_file",
		category: fileRead, from: onDemand, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).readFile), shell: "sed -n 1,20p FILE",
	},
	{
		name: "head", description: "Reads the first lines of a text file.", like: "read_file",
		category: fileRead, from: onDemand, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).head), shell: "head FILE",
	},
	{
		name: "tail", description: "Reads the last lines of a text file.", like: "read_file",
		category: fileRead, from: onDemand, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).tail), shell: "tail FILE",
	},
	{
		name: "cat", description: "Reads a text file as it is, without line numbers.", like: "read_file",
		category: fileRead, from: onDemand, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).cat), shell: "cat FILE",
	},
}

const (
	maxShown = 48 << 10  // bytes of a file in one result
	maxLine  = 4 << 10   // bytes of a line in a result
	sniffed  = 8 << 10   // bytes that are checked for a zero byte, which makes a file binary
	maxRange = 256 << 20 // bytes to skip before a range of lines
)

type readIn struct {
	Path      string `json:"path" jsonschema:"the file"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"the first line to read, from 1" minimum:"1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"the last line to read" minimum:"1"`
	Encoding  string `json:"encoding" jsonschema:"the encoding of the file" default:"utf-8" enum:"utf-8,ascii,latin-1,utf-16"`
	Numbered  bool   `json:"numbered" jsonschema:"put its number before each line" default:"true"`
}

func (s *Set) readFile(ctx context.Context, in readIn) (agent.Result, error) {
	if in.EndLine > 0 && in.StartLine > in.EndLine {
		return agent.Result{}, agent.Failure(agent.Validation, "start_line %d is behind end_line %d", in.StartLine, in.EndLine)
	}
	if result, ok := s.curate(ctx, in); ok {
		return result, nil
	}
	f, stat, err := s.open(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	defer f.Close()
	whole := in.StartLine == 0 && in.EndLine == 0
	if stat.Size() > maxFile && (whole || in.Encoding == "utf-16") {
		return agent.Result{}, tooLarge(in.Path, stat.Size(), maxFile)
	}
	text, err := decoded(&stoppable{ctx, f}, in.Encoding, in.Path)
	if err != nil {
		return agent.Result{}, s.explain(in.Path, err)
	}
	page := page{first: max(in.StartLine, 1), last: in.EndLine, numbered: in.Numbered}
	if err := page.read(text); err != nil {
		return agent.Result{}, s.explain(in.Path, err)
	}
	return page.result(in.Path)
}

type headIn struct {
	Path  string `json:"path" jsonschema:"the file"`
	Lines int    `json:"lines" jsonschema:"how many lines" default:"10" minimum:"1" maximum:"10000"`
}

func (s *Set) head(ctx context.Context, in headIn) (agent.Result, error) {
	return s.readFile(ctx, readIn{Path: in.Path, StartLine: 1, EndLine: in.Lines, Numbered: true})
}

func (s *Set) tail(ctx context.Context, in headIn) (agent.Result, error) {
	text, err := s.readAll(ctx, in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	return s.readFile(ctx, readIn{Path: in.Path, StartLine: max(lineCount(string(text))-in.Lines+1, 1), Numbered: true})
}

func (s *Set) cat(ctx context.Context, in pathIn) (agent.Result, error) {
	return s.readFile(ctx, readIn{Path: in.Path})
}

// decoded returns the text of a file. It fails if the file looks binary.
func decoded(r io.Reader, encoding, name string) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if encoding == "utf-16" {
		raw, err := io.ReadAll(io.LimitReader(in, maxFile))
		if err != nil {
			return nil, err
		}
		return bufio.NewReader(strings.NewReader(fromUTF16(raw))), nil
	}
	start, err := in.Peek(sniffed)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.IndexByte(start, 0) >= 0 {
		return nil, advise(agent.Failure(agent.Resource, "%s is binary, not a text", name),
			"Leave it alone, or read it as utf-16 if it is that.")
	}
	if encoding == "latin-1" {
		return bufio.NewReader(&latin1{in: in}), nil
	}
	return in, nil
}

// fromUTF16 decodes UTF-16, little-endian unless a byte order mark says otherwise.
func fromUTF16(raw []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		order, raw = binary.BigEndian, raw[2:]
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		raw = raw[2:]
	}
	units := make([]uint16, len(raw)/2)
	_, _ = binary.Decode(raw, order, units) // as many as there are
	text := string(utf16.Decode(units))
	if len(raw)%2 > 0 {
		text += string(utf8.RuneError)
	}
	return text
}

// latin1 converts Latin-1 to UTF-8.
type latin1 struct{ in *bufio.Reader }

func (l *latin1) Read(p []byte) (int, error) {
	n := 0
	for n+2 <= len(p) {
		c, err := l.in.ReadByte()
		if err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
		n += utf8.EncodeRune(p[n:], rune(c))
	}
	return n, nil
}

// page is a range of lines of a text, cut to the size of a result.
type page struct {
	first, last int // last is 0 for the end of the text
	numbered    bool

	b       strings.Builder
	shown   int // the last line in b
	lines   int // read so far
	more    bool
	cut     bool // a line was too long
	invalid bool // it is not UTF-8
}

// read reads lines up to the last one, or until the page is full.
func (p *page) read(in *bufio.Reader) error {
	left := maxRange
	for {
		line, long, err := readLine(in, &left)
		if err == io.EOF && line == "" {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		p.lines++
		switch {
		case p.last > 0 && p.lines > p.last:
			return nil
		case p.lines < p.first:
		case p.b.Len()+len(line) > maxShown && p.b.Len() > 0:
			p.more = true
			return nil
		default:
			p.add(line, long)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// numbered returns the lines of a file from number first on, with their numbers, each cut
// to a number of bytes.
func numbered(lines []string, first, most int) string {
	p := page{numbered: true, lines: first - 1}
	for _, line := range lines[min(first-1, len(lines)):] {
		p.lines++
		p.add(line[:min(len(line), most)], len(line) > most)
	}
	return p.b.String()
}

func (p *page) add(line string, long bool) {
	p.shown = p.lines
	p.cut = p.cut || long
	if !utf8.ValidString(line) {
		p.invalid = true
		line = strings.ToValidUTF8(line, "\uFFFD")
	}
	if p.numbered {
		fmt.Fprintf(&p.b, "%d: ", p.lines)
	}
	p.b.WriteString(line)
	if long {
		p.b.WriteString(" [the line goes on]\n")
	}
}

// result returns the page, with notes for the model.
func (p *page) result(name string) (agent.Result, error) {
	if p.first > 1 && p.lines < p.first {
		return agent.Result{}, agent.Failure(agent.Validation, "%s has only %d lines", name, p.lines)
	}
	result := agent.Result{Output: p.b.String()}
	if p.more || p.cut {
		result.Metadata = map[string]any{"output_truncated": true}
	}
	tell := func(format string, args ...any) {
		if result.Output != "" && !strings.HasSuffix(result.Output, "\n") {
			result.Output += "\n"
		}
		result.Output += "[" + fmt.Sprintf(format, args...) + "]\n"
	}
	if p.more {
		tell("lines %d to %d; the file goes on: read it with start_line %d", p.first, p.shown, p.shown+1)
	}
	if p.cut {
		tell("lines longer than %d bytes are cut", maxLine)
	}
	if p.invalid {
		tell("the file is not UTF-8: try the encoding latin-1")
	}
	return result, nil
}

// readLine reads a line with its end, or the beginning of a line that is too long. left
// is the number of bytes that may be read from the file.
func readLine(in *bufio.Reader, left *int) (line string, long bool, err error) {
	var b []byte
	for {
		piece, err := in.ReadSlice('\n')
		if *left -= len(piece); *left < 0 {
			return "", false, agent.Failure(agent.Resource, "that is more than %d bytes behind the beginning of the file", maxRange)
		}
		room := maxLine - len(b)
		if len(piece) > room {
			piece, long = piece[:max(room, 0)], true
		}
		b = append(b, piece...)
		if err != bufio.ErrBufferFull {
			return string(b), long, err
		}
	}
}

// isPlain reports whether the beginning of a file looks like text.
func isPlain(text []byte) bool { return bytes.IndexByte(text[:min(len(text), sniffed)], 0) < 0 }
