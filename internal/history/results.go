package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/neutralize"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/toolset"
)

// Texts in place of a missing result.
const (
	noOutput   = "(The tool gave no output.)"
	noResult   = "(There is no result: the call was not carried out. Make it again if it is still needed.)"
	noReason   = "it did not say why."
	adviceFail = "\nChange the call and make it again, or go on without it."
)

// advises reports whether the text of an error says what to do next, as those of package
// adapter do.
func advises(words string) bool {
	words = strings.ToLower(words)
	return strings.Contains(words, " again") || strings.Contains(words, "instead") || strings.Contains(words, "retry")
}

// answer writes the results of a turn's calls, in order. inForm says which calls were written
// in the dialect's form; the results of the others are described in words.
func (r *rendering) answer(t *turn, inForm []bool, out *writtenTurn) {
	answered := slices.ContainsFunc(t.results, func(result *chat.Result) bool { return result != nil })
	if len(t.calls) == 0 || t.last && !answered {
		return
	}
	var list []text.Result
	var raw []string // the contents before breaking markup
	for i, c := range t.calls {
		if !inForm[i] {
			continue
		}
		place := len(list)
		id := plainID(c.ID)
		if r.dialect.Written.Numbered {
			id = strconv.Itoa(t.earlier + place)
		}
		result := text.Result{CallID: toolset.ResultID(&r.dialect.Head, c.Name, id, place), Name: c.Name, Content: r.content(t.results[i])}
		raw = append(raw, result.Content)
		result.Content = r.harmless(result.Content, r.placeOf(result, place, out.calls), "the result of a call of "+c.Name)
		list = append(list, result)
	}
	turns, err := r.turns(list)
	out.results = turns
	if err != nil { // a name or an id that would break the markup
		r.lose(err.Error(), "the results are described in words")
		for i, result := range list {
			out.words = append(out.words, r.words("Result of the call of "+result.Name, raw[i]))
		}
	}
	for i, c := range t.calls {
		if !inForm[i] {
			out.words = append(out.words, r.words("Result of the call of "+c.Name, r.content(t.results[i])))
		}
	}
}

// turns returns the turns with the results: one for all, or one for each.
func (r *rendering) turns(list []text.Result) ([]string, error) {
	size := max(1, len(list))
	if r.dialect.Results.Alone {
		size = 1
	}
	var turns []string
	for results := range slices.Chunk(list, size) {
		out, err := r.writer.AppendResults(nil, results...)
		if err != nil {
			return nil, err
		}
		turns = append(turns, string(out)+r.lineEnd())
	}
	return turns, nil
}

// placeOf returns the place of a result's content.
func (r *rendering) placeOf(result text.Result, place, results int) neutralize.Place {
	form := r.dialect.ResultForm()
	next := form.Between
	if place == results-1 || form.Alone {
		next = form.Turn.Close
	}
	return neutralize.Place{
		Before: form.Turn.Open + result.Fill(form.Result.Open, place+1),
		After:  result.Fill(form.Result.Close, place+1) + next + r.lineEnd(),
		Quoted: form.Quoted, Nested: form.Nested,
	}
}

// lineEnd ends results that have no closing marker, so that they do not run into what
// follows.
func (r *rendering) lineEnd() string {
	if form := r.dialect.ResultForm(); form.Turn.Close+form.Result.Close != "" {
		return ""
	}
	return "\n"
}

// words writes a result without markup.
func (r *rendering) words(what, content string) string {
	at := neutralize.Place{Before: r.neutral(what) + ":\n", After: "\n"}
	return at.Before + r.harmless(content, at, "a result") + at.After
}

// harmless breaks the markup in a result, and reports it as a loss.
func (r *rendering) harmless(content string, at neutralize.Place, what string) string {
	out := r.neutralizer.Text(content, at)
	if out != content {
		r.lose(what+" contains markup that would be read as a call, a turn or reasoning", "backslashes break the markup")
	}
	return out
}

// content returns a result as text, cut to the limit. result may be nil.
func (r *rendering) content(result *chat.Result) string {
	if result == nil {
		return noResult
	}
	var parts []string
	for _, p := range result.Parts {
		switch {
		case p.Kind == chat.PartText || p.Kind == chat.PartRefusal:
			parts = append(parts, p.Text)
		case p.Media != nil:
			parts = append(parts, strings.TrimSpace("["+p.Kind.String()+" "+p.Media.Type+" "+p.Media.Name)+"]")
			r.lose("a result in text cannot contain an "+p.Kind.String(), "it is named")
		default:
			r.lose("a result in text cannot contain a part of type "+p.Kind.String(), "it is left out")
		}
	}
	out := strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")
	if most := r.opts.MaxResult; 0 <= most && most < len(out) {
		cut := strings.ToValidUTF8(out[:most], "") // without half a character
		r.lose(fmt.Sprintf("a result of %d bytes exceeds the limit", len(out)), "its end is left out")
		out = fmt.Sprintf("%s\n(Cut here: %d of %d bytes are missing. Ask for less, or for another part.)", cut, len(out)-len(cut), len(out))
	}
	switch blank := strings.TrimSpace(out) == ""; {
	case result.IsError && blank:
		return "The call failed; " + noReason + adviceFail
	case result.IsError && advises(out):
		return "The call failed: " + out
	case result.IsError:
		return "The call failed: " + out + adviceFail
	case blank:
		return noOutput
	}
	return out
}

// rest writes the results in a message that belong to no call: those of unknown calls,
// and second ones.
func (r *rendering) rest(m chat.Message) {
	for _, p := range m.Parts {
		switch {
		case p.Kind != chat.PartResult || p.Result == nil:
			r.tellPart(p)
		case !r.matched[p.Result]:
			r.lose("a result has no call", "described in words")
			what := "Result of an earlier call"
			if p.Result.Name != "" {
				what += " of " + p.Result.Name
			}
			r.tell(r.words(what, r.content(p.Result)))
		}
	}
}
