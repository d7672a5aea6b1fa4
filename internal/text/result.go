package text

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/syntax"
)

// Result is the result of a call.
type Result struct {
	CallID  string // of the call, if its dialect has ids
	Name    string // of the tool
	Content string
}

// AppendResults appends the results of the calls in one message, in order, in the form of
// the model's template inside the tool's turn. A result that contains a marker of the
// dialect is an [*Error], because it could forge a call or end the result; dst is then
// returned unchanged.
func (w *Writer) AppendResults(dst []byte, results ...Result) ([]byte, error) {
	shape := w.d.ResultForm()
	out := append(dst, shape.Turn.Open...)
	for i, r := range results {
		if i > 0 {
			out = append(out, shape.Between...)
		}
		var err error
		if out, err = w.appendResult(out, &r, i+1); err != nil {
			return dst, w.place(err, r.Name, "")
		}
	}
	return append(out, shape.Turn.Close...), nil
}

// appendResult writes one result.
func (w *Writer) appendResult(dst []byte, r *Result, at int) ([]byte, error) {
	shape := w.d.ResultForm()
	for _, part := range []struct{ name, text string }{{"name", r.Name}, {"call's id", r.CallID}} {
		if strings.ContainsAny(part.text, "\r\n\"<>") {
			return dst, syntax.Reasonf("the %s %q would break the markup", part.name, part.text)
		}
	}
	content, err := w.resultContent(r.Content)
	if err != nil {
		return dst, err
	}
	dst = append(append(dst, r.Fill(shape.Result.Open, at)...), content...)
	return append(dst, r.Fill(shape.Result.Close, at)...), nil
}

// Fill returns a marker of a dialect with the values of a result, number at in its turn.
func (r *Result) Fill(marker string, at int) string {
	if !strings.Contains(marker, "{") { // as of most dialects
		return marker
	}
	return strings.NewReplacer("{name}", r.Name, "{id}", r.CallID, "{at}", strconv.Itoa(at)).Replace(marker)
}

// resultContent returns the content of a result between its markers. All output of tools
// gets into a prompt through this function.
func (w *Writer) resultContent(content string) (string, error) {
	if m := w.markerIn(content); m != "" {
		return "", syntax.Reasonf("the result holds the marker %q", m)
	}
	return ResultText(w.d.ResultForm(), content), nil
}

// ResultText returns the content of a result in a form, without the markers around it.
func ResultText(form dialect.Results, content string) string {
	if !form.Quoted || form.Nested && json.Valid([]byte(content)) {
		return content
	}
	return string(jsonvalue.AppendQuoted(nil, content))
}

// markerIn returns a marker of the dialect in s: of calls, reasoning or results. It
// ignores the markers of bare forms, which are words that any text may contain.
func (w *Writer) markerIn(s string) string {
	for _, m := range w.markers {
		if strings.Contains(s, m) {
			return m
		}
	}
	return ""
}

// markersOf returns the markers of a dialect that no result may contain.
func markersOf(d *dialect.Dialect) (found []string) {
	r := d.ResultForm()
	markers := []string{r.Result.Open, r.Result.Close, r.Turn.Open, r.Turn.Close}
	for _, f := range append([]dialect.Form{{Frame: d.Frame}}, d.Also...) {
		if !f.Frame.Bare {
			markers = append(markers, f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Open, f.Frame.Call.Close)
		}
	}
	for _, pair := range d.Reasoning {
		markers = append(markers, pair.Open, pair.Close)
	}
	for _, m := range append(append(markers, d.Noise...), d.Stops()...) {
		m, _, _ = strings.Cut(m, "{") // up to a slot, if there is one
		if m = strings.TrimSpace(m); len(m) > 2 {
			found = append(found, m)
		}
	}
	return found
}
