package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/shellscript"
)

var validationTools = []*entry{{
	name: "check_syntax", description: "Checks the syntax of a file without running it: Go, JSON, shell, Python or JavaScript.", aliases: []string{"syntax_check"},
	category: validation, from: standard, risk: agent.Medium, traits: reads, paths: onPath, make: does((*Set).checkSyntax),
}}

type checkSyntaxIn struct {
	Path     string `json:"path" jsonschema:"the file"`
	Language string `json:"language" jsonschema:"its language; auto chooses by the file name" default:"auto" enum:"auto,go,json,shell,python,javascript"`
}

// problem is an error at a place in a file.
type problem struct {
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// maxProblems limits the problems that are reported.
const maxProblems = 50

var extensions = map[string]string{
	".go": "go", ".json": "json", ".sh": "shell", ".bash": "shell", ".py": "python", ".pyi": "python",
	".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
}

// languageOf returns the language of a file, by its name or, for a script, its first
// line.
func languageOf(name string, text []byte) string {
	if language := extensions[strings.ToLower(path.Ext(name))]; language != "" {
		return language
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	for _, known := range [][2]string{{"python", "python"}, {"node", "javascript"}, {"sh", "shell"}} {
		if bytes.HasPrefix(first, []byte("#!")) && bytes.Contains(first, []byte(known[0])) {
			return known[1]
		}
	}
	return ""
}

func (s *Set) checkSyntax(ctx context.Context, in checkSyntaxIn) (agent.Result, error) {
	text, err := s.readAll(ctx, in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	language := in.Language
	if language == "auto" {
		language = languageOf(in.Path, text)
	}
	var problems []problem
	switch language {
	case "go":
		problems = checkGo(in.Path, text)
	case "json":
		problems = checkJSON(text)
	case "shell":
		problems, err = checkShell(in.Path, text)
	case "python":
		problems, err = s.checkPython(ctx, text)
	case "javascript":
		problems, err = s.checkJavaScript(ctx, in.Path, text)
	default:
		return agent.Result{}, advise(agent.Failure(agent.Validation, "the language of %s is not known", in.Path),
			"Name the language, or check the file with bash.")
	}
	if err != nil {
		return agent.Result{}, err
	}
	result := agent.Result{Metadata: map[string]any{"language": language, "problems": problems}}
	if len(problems) == 0 {
		result.Output = in.Path + " has no error of syntax"
		return result, nil
	}
	var b strings.Builder
	for i, p := range problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "[%d more]\n", len(problems)-i)
			break
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", in.Path, p.Line, p.Column, p.Message)
	}
	result.Output = b.String()
	return result, advise(agent.Failure(agent.Execution, "%s does not parse: at line %d: %s (errors: %d)", in.Path, problems[0].Line, problems[0].Message, len(problems)),
		"Fix them, and check again.")
}

func checkGo(name string, text []byte) (list []problem) {
	_, err := parser.ParseFile(token.NewFileSet(), name, text, parser.AllErrors|parser.SkipObjectResolution)
	found, ok := errors.AsType[scanner.ErrorList](err)
	if err != nil && !ok {
		return []problem{{Message: err.Error()}}
	}
	for _, e := range found {
		list = append(list, problem{e.Pos.Line, e.Pos.Column, e.Msg})
	}
	return list
}

// checkJSON accepts exactly one value.
func checkJSON(text []byte) []problem {
	d := json.NewDecoder(bytes.NewReader(text))
	var value json.RawMessage
	err := d.Decode(&value)
	at := d.InputOffset()
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = wrong.Offset - 1
	}
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		at, err = d.InputOffset(), errors.New("text follows the value")
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		at, err = int64(len(text)), errors.New("the text ends too early")
	}
	before := text[:min(max(int(at), 0), len(text))]
	return []problem{{bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n'), err.Error()}}
}

func checkShell(name string, text []byte) ([]problem, error) {
	_, err := shellscript.Parse(string(text), name)
	if wrong, ok := errors.AsType[syntax.ParseError](err); ok {
		return []problem{{int(wrong.Pos.Line()), int(wrong.Pos.Col()), wrong.Text}}, nil
	}
	switch {
	case errors.Is(err, shellscript.ErrTooNested):
		return nil, advise(agent.Failure(agent.Resource, "%w", err), "Check it with bash -n, if that is what you mean.")
	case err != nil:
		return []problem{{Message: err.Error()}}, nil
	}
	return nil, nil
}

// pythonCheck compiles its input without writing anything, and prints the problem as
// JSON.
const pythonCheck = `import sys, json, warnings
warnings.simplefilter("ignore")
try:
    compile(sys.stdin.buffer.read(), "file", "exec", dont_inherit=True)
except SyntaxError as e:
    print(json.dumps([{"line": e.lineno or 0, "column": e.offset or 0, "message": e.msg}]))
except ValueError as e:
    print(json.dumps([{"message": str(e)}]))
`

const syntaxTimeout = 30 * time.Second

func (s *Set) checkPython(ctx context.Context, text []byte) ([]problem, error) {
	out, err := s.check(ctx, text, "python3", "-I", "-c", pythonCheck)
	if err != nil || out == "" {
		return nil, err
	}
	var list []problem
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		return nil, agent.Failure(agent.Execution, "python3 cannot check it: %s", lastBytes(out, 500))
	}
	return list, nil
}

// checkJavaScript also tries a file as a module, unless it is clear which it is.
func (s *Set) checkJavaScript(ctx context.Context, name string, text []byte) ([]problem, error) {
	kinds := []string{"commonjs", "module"}
	switch path.Ext(name) {
	case ".mjs":
		kinds = kinds[1:]
	case ".cjs":
		kinds = kinds[:1]
	}
	var first []problem
	for _, kind := range kinds {
		out, err := s.check(ctx, text, "node", "--input-type="+kind, "--check", "-")
		if err == nil {
			return nil, nil
		}
		failed := agent.Categorize(err)
		if failed.Category != agent.Execution || !strings.Contains(out, "SyntaxError") {
			return nil, err
		}
		if p := nodeProblem(out); first == nil || !strings.Contains(first[0].Message, "import") && strings.Contains(p.Message, "import") {
			first = []problem{p}
		}
	}
	return first, nil
}

// nodeOutput matches the place of an error, its line, a mark below the place, and the error.
var nodeOutput = regexp.MustCompile(`(?ms):(\d+)\n[^\n]*\n( *)\^.*?^(SyntaxError[^\n]*)`)

func nodeProblem(out string) problem {
	found := nodeOutput.FindStringSubmatch(out)
	if found == nil {
		return problem{Message: lastBytes(out, 500)}
	}
	line, _ := strconv.Atoi(found[1])
	return problem{line, len(found[2]) + 1, found[3]}
}

// check runs a program that reads the file from its standard input.
func (s *Set) check(ctx context.Context, text []byte, program string, args ...string) (string, error) {
	if !s.installed(program) {
		return "", missingProgram(program)
	}
	result, err := s.run(ctx, job{label: program, program: program, args: args, input: string(text) + "\n", timeout: syntaxTimeout, quiet: true, env: map[string]string{"NODE_OPTIONS": ""}})
	return result.Output, err
}
