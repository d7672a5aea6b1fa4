package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// watch is what a session records to notice that the model repeats itself.
type watch struct {
	Recent      []string `json:"recent,omitempty"`      // the calls of the last turns, each as one key
	Texts       []string `json:"texts,omitempty"`       // the texts of the last turns, each as one key
	Warnings    int      `json:"warnings,omitempty"`    // successive turns that only repeated others
	What        string   `json:"what,omitempty"`        // what the turns repeat
	Told        string   `json:"told,omitempty"`        // identifies the last circle that a Notice reported
	Corrections int      `json:"corrections,omitempty"` // successive turns without a call that could run
	Denials     int      `json:"denials,omitempty"`     // successive turns whose calls were all denied
	ChoiceMet   bool     `json:"choice_met,omitempty"`  // the model has followed a forced tool choice
}

const (
	maxRepeats = 3  // of a turn, or of a group of turns
	maxPeriod  = 3  // turns in such a group
	longText   = 80 // bytes; many turns begin with the same few words
)

// watch notices a turn that repeats earlier ones. It does not run the turn's calls, and
// tells the model so. If the model continues to repeat itself, the user is asked, or the
// run ends.
func (r *run) watch(text string) {
	w := &r.s.Watch
	w.Recent = keep(w.Recent, r.key())
	if len(text) < longText {
		text = ""
	} else {
		text = digest(text)
	}
	w.Texts = keep(w.Texts, text)
	var circle string // the same at each of its turns
	switch {
	case repeats(w.Recent):
		w.What = "it makes the same calls again and again"
		circle = slices.Min(w.Recent[len(w.Recent)-maxPeriod:])
	case text != "" && repeats(w.Texts[max(0, len(w.Texts)-maxRepeats):]):
		w.What = "it writes the same text again and again"
		circle = w.What
	default:
		w.Warnings, w.What = 0, ""
		return
	}
	w.Warnings++
	if w.Told != circle {
		w.Told = circle
		r.emit(Event{Type: Notice, Text: loopError(w.What).Message})
	}
	if r.executor.doubt = r.doubt(); r.executor.doubt != "" {
		return
	}
	r.executor.end(&Error{
		Category: Execution, Code: codeLoop, Message: fmt.Sprintf("not run: %s (%d times).", strings.Replace(w.What, "it makes", "you make", 1), maxRepeats),
		Action: "The result will not change. Do something else, or say what keeps you from going on.",
	})
}

// doubt returns why to ask the user about the calls of the turn, or "".
func (r *run) doubt() string {
	if w := r.s.Watch; w.Warnings > 1 && r.config.AskInLoops {
		return loopError(w.What).Message
	}
	return ""
}

// key identifies the calls of the turn.
func (r *run) key() string {
	var keys []string
	for i, c := range r.executor.turn.Calls {
		_, info, _ := r.tools.Lookup(c.Invocation.Name)
		identity := ""
		if info.Identity != nil {
			if identity = info.Identity(c.Invocation.Arguments); identity == "" { // never a repetition
				identity = fmt.Sprint("#", r.s.Total, ".", i)
			}
		} else if v, err := jsonvalue.Parse(c.Invocation.Arguments); err == nil {
			identity = v.Key()
		} else {
			identity = string(c.Invocation.Arguments)
		}
		keys = append(keys, c.Invocation.Name+" "+identity)
	}
	slices.Sort(keys)
	return digest(strings.Join(keys, "\n"))
}

// digest stands for a text that may be long.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// keep appends a text to a list, and removes what is too old.
func keep(list []string, text string) []string {
	list = append(list, text)
	return slices.Clone(list[max(0, len(list)-maxRepeats*maxPeriod):])
}

// repeats reports whether a list ends with the same turns three times.
func repeats(list []string) bool {
	for period := 1; period <= maxPeriod; period++ {
		n := maxRepeats * period
		if len(list) < n {
			return false
		}
		end := list[len(list)-n:]
		if slices.Equal(end[:n-period], end[period:]) {
			return true
		}
	}
	return false
}
