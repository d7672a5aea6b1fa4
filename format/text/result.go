package text

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/parser"
)

// Result is what came of a call.
type Result struct {
	CallID  string // of the call, where its dialect has ids
	Name    string // of the tool
	Content string
}

// AppendResults appends to dst the results of the calls of one message, in their
// order, as the model's template shows them to it within the turn of the tool.
// What holds a marker of the dialect is an [*Error]: it could forge a call, or end
// the result; dst is returned as it was.
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
	slots := strings.NewReplacer("{name}", r.Name, "{id}", r.CallID, "{at}", strconv.Itoa(at))
	dst = append(append(dst, slots.Replace(shape.Result.Open)...), content...)
	return append(dst, slots.Replace(shape.Result.Close)...), nil
}

// resultContent is the text of a result as it stands between its markers. This
// is the one place through which what a tool returned gets into a prompt.
func (w *Writer) resultContent(content string) (string, error) {
	if m := w.markerIn(content); m != "" {
		return "", syntax.Reasonf("the result holds the marker %q", m)
	}
	if w.d.ResultForm().Quoted {
		return string(jsonvalue.AppendQuoted(nil, content)), nil
	}
	return content, nil
}

// markerIn finds a marker of the dialect in s: of calls, reasoning or results. Those
// of bare forms are words that any text may hold.
func (w *Writer) markerIn(s string) string {
	r := w.d.ResultForm()
	markers := []string{r.Result.Open, r.Result.Close, r.Turn.Open, r.Turn.Close}
	for _, f := range append([]parser.Form{{Frame: w.d.Frame}}, w.d.Also...) {
		if !f.Frame.Bare {
			markers = append(markers, f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Open, f.Frame.Call.Close)
		}
	}
	for _, pair := range w.d.Reasoning {
		markers = append(markers, pair.Open, pair.Close)
	}
	markers = append(append(markers, w.d.Noise...), w.d.Stops()...)
	for _, m := range markers {
		m, _, _ = strings.Cut(m, "{") // a slot follows, or none does
		if m = strings.TrimSpace(m); len(m) > 2 && strings.Contains(s, m) {
			return m
		}
	}
	return ""
}
