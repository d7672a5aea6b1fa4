package agent

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/toolparse/toolparse/internal/shellscript"
)

// anything stands for the text of a word that the shell computes.
const anything = "\x00"

// script is what a shell would run, as far as the text shows it.
type script struct {
	commands [][]string // the words of each command, including commands in substitutions
	inputs   []string   // here-documents and here-strings
	// plain means that the script has only commands, joined by ; && || | or grouped,
	// without assignments and without redirections, except those that discard output.
	plain bool
	// opaque means that the script cannot be parsed, such as one that is too nested, or
	// computes the name of a command.
	opaque bool
}

// commandAllowed reports whether every command of a script matches a pattern, and the
// script does nothing else.
func commandAllowed(pattern, text string) bool {
	s := readScript(text)
	if !s.plain || s.opaque || len(s.commands) == 0 {
		return false
	}
	form := strings.Fields(pattern)
	for _, words := range s.commands {
		if !wordsMatch(form, words) {
			return false
		}
	}
	return true
}

// commandDenied reports whether any command of a script matches a pattern, also one that
// sudo, xargs, sh -c or the like would run.
func commandDenied(pattern, text string) matching {
	return readScript(text).denied(strings.Fields(pattern), 0)
}

// maxNested limits the nesting of scripts within scripts.
const maxNested = 8

func (s script) denied(form []string, depth int) matching {
	result := differs
	if s.opaque || depth > maxNested {
		result = mayMatch
	}
	for _, words := range s.commands {
		for i, word := range words {
			if words[i] = path.Base(word); wordsMatch(form, words[i:]) {
				return matches
			}
			words[i] = word
			if !strings.ContainsAny(word, " \t\n;&|") {
				continue
			}
			inner := readScript(word).denied(form, depth+1)
			if inner == matches && !isScript(words[:i]) { // may be a message that looks like a script
				inner = mayMatch
			}
			if inner == matches {
				return matches
			}
			result = max(result, inner)
		}
	}
	for _, input := range s.inputs {
		if s.runsShell() && readScript(input).denied(form, depth+1) != differs { // perhaps another command reads it
			result = max(result, mayMatch)
		}
	}
	return result
}

// shells are commands that may run their input.
var shells = []string{"sh", "bash", "dash", "ash", "ksh", "zsh"}

func (s script) runsShell() bool {
	isShell := func(word string) bool { return slices.Contains(shells, path.Base(word)) }
	return slices.ContainsFunc(s.commands, func(words []string) bool { return slices.ContainsFunc(words, isShell) })
}

// isScript reports whether the word after these is a script, such as that of sh -c.
func isScript(before []string) bool {
	n := len(before)
	return n > 0 && (before[n-1] == "eval" || strings.HasPrefix(before[n-1], "-") && strings.HasSuffix(before[n-1], "c"))
}

// wordsMatch reports whether words match a pattern. A "*" at its end matches any number
// of further words.
func wordsMatch(form, words []string) bool {
	for i, pattern := range form {
		if pattern == "*" && i == len(form)-1 {
			return true
		}
		if i >= len(words) || !wildcard(pattern, words[i]) {
			return false
		}
	}
	return len(words) == len(form)
}

func readScript(text string) script {
	file, err := shellscript.Parse(text, "")
	if err != nil {
		return script{opaque: true}
	}
	s := script{plain: true}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CallExpr:
			s.plain = s.plain && len(node.Assigns) == 0
			s.add(node.Args)
		case *syntax.Redirect:
			s.plain = s.plain && harmless(node)
			if node.Hdoc != nil {
				s.inputs = append(s.inputs, wordText(node.Hdoc.Parts))
			} else if node.Op == syntax.WordHdoc {
				s.inputs = append(s.inputs, wordText(node.Word.Parts))
			}
		case *syntax.BinaryCmd, *syntax.Subshell, *syntax.Block:
		case syntax.Command: // loops, functions, declarations, ...
			s.plain = false
		}
		return true
	})
	return s
}

// add adds the words of one command.
func (s *script) add(args []*syntax.Word) {
	if len(args) == 0 {
		return
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = wordText(arg.Parts)
	}
	s.opaque = s.opaque || strings.ContainsAny(words[0], anything+"*?[{~")
	s.commands = append(s.commands, words)
}

// wordText returns what the shell makes of a word, with [anything] for what it computes.
func wordText(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			for i := 0; i < len(part.Value); i++ {
				if part.Value[i] == '\\' && i+1 < len(part.Value) {
					i++
				}
				b.WriteByte(part.Value[i])
			}
		case *syntax.SglQuoted:
			if part.Dollar {
				b.WriteString(anything)
				continue
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString(wordText(part.Parts))
		default:
			b.WriteString(anything)
		}
	}
	return b.String()
}

// harmless reports whether a redirection touches no file.
func harmless(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.DplOut, syntax.DplIn: // 2>&1
		return true
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrIn:
		return r.Word != nil && wordText(r.Word.Parts) == "/dev/null"
	}
	return false
}
