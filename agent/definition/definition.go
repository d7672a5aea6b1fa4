// Package definition reads agents that are defined in Markdown files, in the format of
// coding agents: front matter that describes the agent and lists its tools, followed by
// its system prompt.
//
//	---
//	name: writer
//	model: qwen3-coder
//	temperature: 0.2
//	tools: read_file, write_file
//	---
//	You write documentation in {{.language}}.
//
//	## Tools Available
//	- `search`: finds a text
package definition

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Definition is an agent as its file defines it. Fields that the file does not set are
// zero.
type Definition struct {
	Name, Description        string
	Provider, Model, Dialect string
	Temperature              json.Number
	MaxTokens, MaxTurns      int
	Tools                    []string // nil if the file names none

	prompt string
}

// Read reads a definition. From the front matter it takes name, description, provider,
// model, dialect, temperature, max_tokens, max_turns and tools, and ignores other
// members. Tools are a YAML list in any form, or names with commas. Read adds the tools
// in a section "Tools Available", and removes the section from the prompt. It fails if
// the front matter does not end, or a value has the wrong type.
func Read(text string) (*Definition, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	d := &Definition{}
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		head, body, ok := strings.Cut("\n"+rest+"\n", "\n---\n")
		if !ok {
			return nil, fmt.Errorf("definition: the front matter has no end (a line ---)")
		}
		if err := d.take(head); err != nil {
			return nil, err
		}
		text = body
	}
	d.prompt = strings.TrimSpace(d.takeTools(text))
	return d, nil
}

// take reads the front matter.
func (d *Definition) take(head string) error {
	texts := map[string]*string{"name": &d.Name, "description": &d.Description, "provider": &d.Provider, "model": &d.Model, "dialect": &d.Dialect}
	numbers := map[string]*int{"max_tokens": &d.MaxTokens, "max_turns": &d.MaxTurns}
	key := ""
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, " \t\n")
		if item, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- "); ok && key == "tools" {
			d.Tools = append(d.Tools, unquoted(item))
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "#") {
			continue // inside a member that is ignored
		}
		key, value = strings.TrimSpace(name), unquoted(value)
		switch {
		case texts[key] != nil:
			*texts[key] = value
		case numbers[key] != nil:
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return fmt.Errorf("definition: %s: %q is not a number", key, value)
			}
			*numbers[key] = n
		case key == "temperature":
			if _, err := strconv.ParseFloat(value, 64); err != nil || !json.Valid([]byte(value)) {
				return fmt.Errorf("definition: temperature: %q is not a number", value)
			}
			d.Temperature = json.Number(value)
		case key == "tools":
			d.Tools = []string{}
			for word := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
				if word = unquoted(word); word != "" {
					d.Tools = append(d.Tools, word)
				}
			}
		}
	}
	return nil
}

// unquoted returns a YAML scalar without its quotes.
func unquoted(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// takeTools removes the section "Tools Available" from a text, and adds the tools in it.
func (d *Definition) takeTools(text string) string {
	var rest strings.Builder
	level, inCode := 0, false // of the heading of the section; 0 outside of it
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		if title := strings.TrimLeft(line, "#"); !inCode && len(title) < len(line) && strings.HasPrefix(title, " ") {
			depth := len(line) - len(title)
			switch {
			case strings.EqualFold(strings.TrimSpace(title), "Tools Available"):
				level = depth
				continue
			case depth <= level:
				level = 0
			}
		}
		if level == 0 {
			rest.WriteString(line)
			continue
		}
		item := strings.TrimSpace(line)
		for _, bullet := range []string{"- ", "* ", "+ "} {
			if named, ok := strings.CutPrefix(item, bullet); ok {
				name := strings.FieldsFunc(named, func(r rune) bool { return strings.ContainsRune(" \t:`*,(", r) })
				if len(name) > 0 && !slices.Contains(d.Tools, name[0]) {
					d.Tools = append(d.Tools, name[0])
				}
			}
		}
	}
	return rest.String()
}

// gap matches a placeholder in a prompt. Prompts are not templates, because a file from
// elsewhere must not compute anything.
var gap = regexp.MustCompile(`\{\{ *\.([A-Za-z_][A-Za-z0-9_]*) *\}\}`)

// System returns the system prompt with values for its placeholders ({{.name}}). It fails
// if a value is missing.
func (d *Definition) System(values map[string]string) (string, error) {
	var missing []string
	prompt := gap.ReplaceAllStringFunc(d.prompt, func(found string) string {
		name := gap.FindStringSubmatch(found)[1]
		value, ok := values[name]
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("definition: the prompt needs a value for %s", strings.Join(missing, ", "))
	}
	return prompt, nil
}
