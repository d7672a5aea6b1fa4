package features

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// efforts are the words for the amount of thinking, ascending, with the number of tokens
// that each stands for on wires that count them. Gemini documents the numbers for its
// words.
var efforts = [...]struct {
	word   string
	budget int
}{
	{"none", 0}, {"minimal", 512}, {"low", 1024}, {"medium", 8192}, {"high", 24576}, {"xhigh", 32768}, {"max", 65536},
}

// convertEffort converts a word for the effort to another wire, or to the nearest word
// there. "none" is not such a word, but a switch; see convertThinking.
func convertEffort(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	v, source, target := parse(value), wireOf(from), wireOf(to)
	at := -1
	for i, e := range efforts {
		if v.Kind == rawjson.String && strings.EqualFold(string(v.Raw), e.word) && slices.Contains(source.efforts, e.word) {
			at = i
		}
	}
	if at < 0 {
		return nil, "", false
	}
	if slices.Contains(target.efforts, efforts[at].word) {
		return target.effort(at), "", true
	}
	if at == 0 {
		return nil, "", false
	}
	for distance := 1; distance < len(efforts); distance++ {
		for _, near := range [...]int{at - distance, at + distance} {
			if near > 0 && near < len(efforts) && slices.Contains(target.efforts, efforts[near].word) {
				return target.effort(near), efforts[near].word, true
			}
		}
	}
	return nil, "", false
}

// effort writes a word.
func (w *row) effort(at int) json.RawMessage {
	word := efforts[at].word
	if w.capitals {
		word = strings.ToUpper(word)
	}
	return json.RawMessage(strconv.Quote(word))
}

// Budgets without a number of tokens: no thinking, and as much as the model likes.
const (
	noThinking  = 0
	anyThinking = -1
	leastBudget = 1024 // the minimum that Anthropic accepts
)

// convertThinking converts the switch or budget for thinking to another wire, or to the
// nearest value there.
func convertThinking(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	read, write := wireOf(from).thinking.read, wireOf(to).thinking.write
	if read == nil || write == nil {
		return nil, "", false
	}
	budget, ok := read(parse(value))
	if !ok {
		return nil, "", false
	}
	converted, note := write(budget)
	if converted == "" {
		return nil, note, true
	}
	return json.RawMessage(converted), note, true
}

// Chat Completions and Responses have only words, one of which is a switch.

func readNoEffort(v rawjson.Value) (int, bool) { return noThinking, v.Is("none") }

func writeEffort(budget int) (value, note string) {
	if budget == anyThinking {
		return "", "" // the default of these wires
	}
	at := 0
	for i, e := range efforts[1:] {
		if budget > noThinking && (at == 0 || budget >= e.budget) {
			at = i + 1
		}
	}
	if budget > noThinking {
		note = efforts[at].word
	}
	return strconv.Quote(efforts[at].word), note
}

// Anthropic has an object with a type.

func readThinking(v rawjson.Value) (int, bool) {
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
}

func writeThinking(budget int) (value, note string) {
	switch {
	case budget == noThinking:
		return `{"type":"disabled"}`, ""
	case budget == anyThinking:
		return `{"type":"adaptive"}`, ""
	case budget < leastBudget:
		budget, note = leastBudget, strconv.Itoa(leastBudget)
	}
	return `{"type":"enabled","budget_tokens":` + strconv.Itoa(budget) + "}", note
}

// ThinkingOf returns Anthropic's object for a budget in tokens.
func ThinkingOf(budget int) json.RawMessage {
	value, _ := writeThinking(budget)
	return json.RawMessage(value)
}

// Gemini has the budget as a number.

func readBudget(v rawjson.Value) (int, bool) {
	n, ok := v.Int()
	return max(n, anyThinking), ok && v.Kind == rawjson.Number
}

func writeBudget(budget int) (value, note string) { return strconv.Itoa(budget), "" }

// Ollama has a switch.

func readSwitch(v rawjson.Value) (int, bool) {
	if v.Kind == rawjson.Bool && v.IsTrue() {
		return anyThinking, true
	}
	return noThinking, v.Kind == rawjson.Bool
}

func writeSwitch(budget int) (value, note string) {
	if budget > 0 {
		return "true", "true"
	}
	return strconv.FormatBool(budget != noThinking), ""
}
