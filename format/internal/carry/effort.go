package carry

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/internal/payload"
)

// efforts are the words for how much a model is to think, from the least on, and
// which wires have them.
var efforts = [...]struct {
	word  string
	wires []string
	// budget is how many tokens of thinking it stands for where a wire counts
	// these; Gemini says so of its own words.
	budget int
}{
	{"none", []string{"openai", "responses"}, 0},
	{"minimal", []string{"openai", "responses", "gemini"}, 512},
	{"low", []string{"openai", "responses", "anthropic", "gemini", "ollama"}, 1024},
	{"medium", []string{"openai", "responses", "anthropic", "gemini", "ollama"}, 8192},
	{"high", []string{"openai", "responses", "anthropic", "gemini", "ollama"}, 24576},
	{"xhigh", []string{"openai", "responses", "anthropic"}, 32768},
	{"max", []string{"openai", "responses", "anthropic", "ollama"}, 65536},
}

// convertEffort makes a word for the effort that of another wire, or the nearest
// that it has. None is no word, but a switch; see convertThinking.
func convertEffort(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	v := parse(value)
	at := -1
	for i, e := range efforts {
		if v.Kind == payload.String && strings.EqualFold(string(v.Raw), e.word) && slices.Contains(e.wires, from) {
			at = i
		}
	}
	if at < 0 {
		return nil, "", false
	}
	if slices.Contains(efforts[at].wires, to) {
		return effortOf(at, to), "", true
	}
	if at == 0 {
		return nil, "", false
	}
	for distance := 1; distance < len(efforts); distance++ {
		for _, near := range [...]int{at - distance, at + distance} {
			if near > 0 && near < len(efforts) && slices.Contains(efforts[near].wires, to) {
				return effortOf(near, to), efforts[near].word, true
			}
		}
	}
	return nil, "", false
}

func effortOf(at int, wire string) json.RawMessage {
	word := efforts[at].word
	if wire == "gemini" {
		word = strings.ToUpper(word)
	}
	return json.RawMessage(strconv.Quote(word))
}

// The budgets that are none: no thinking, and as much as the model likes.
const (
	noThinking  = 0
	anyThinking = -1
	leastBudget = 1024 // that Anthropic takes
)

// convertThinking makes the switch or the budget of thinking that of another wire,
// or what is nearest to it.
func convertThinking(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	budget, ok := thinkingOf(from, parse(value))
	if !ok {
		return nil, "", false
	}
	switch to {
	case "gemini":
		return json.RawMessage(strconv.Itoa(budget)), "", true
	case "anthropic":
		switch {
		case budget == noThinking:
			return json.RawMessage(`{"type":"disabled"}`), "", true
		case budget == anyThinking:
			return json.RawMessage(`{"type":"adaptive"}`), "", true
		}
		note := ""
		if budget < leastBudget {
			budget, note = leastBudget, strconv.Itoa(leastBudget)
		}
		return json.RawMessage(`{"type":"enabled","budget_tokens":` + strconv.Itoa(budget) + `}`), note, true
	case "ollama":
		if budget > 0 {
			return json.RawMessage("true"), "true", true
		}
		return json.RawMessage(strconv.FormatBool(budget != noThinking)), "", true
	}
	if budget == anyThinking {
		return nil, "", true // which these do unasked
	}
	at := 0
	for i, e := range efforts[1:] {
		if budget > noThinking && (at == 0 || budget >= e.budget) {
			at = i + 1
		}
	}
	note := ""
	if budget > noThinking {
		note = efforts[at].word
	}
	return effortOf(at, to), note, true
}

// thinkingOf returns the budget that a setting of thinking stands for.
func thinkingOf(from string, v payload.Value) (budget int, ok bool) {
	switch from {
	case "anthropic":
		switch kind := v.Get("type"); {
		case kind.Is("disabled"):
			return noThinking, true
		case kind.Is("adaptive"):
			return anyThinking, true
		case kind.Is("enabled"):
			n, ok := v.Get("budget_tokens").Int()
			return n, ok && n > 0
		}
		return 0, false
	case "gemini":
		n, ok := v.Int()
		return max(n, anyThinking), ok && v.Kind == payload.Number
	case "ollama":
		if v.Kind == payload.Bool && v.IsTrue() {
			return anyThinking, true
		}
		return noThinking, v.Kind == payload.Bool
	}
	return noThinking, v.Is("none")
}
