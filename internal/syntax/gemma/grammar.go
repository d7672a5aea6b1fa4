package gemma

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches an object in Gemma's syntax.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	return w.Object(t, s, w.Language(func() *rules.Language { return language(w.Dialect) }), "")
}

// language returns the notation of values: keys without quotes, strings between the quotes of d.
func language(d *dialect.Dialect) *rules.Language {
	return &rules.Language{
		Name: "value", Comma: ",", Colon: ":", Null: "null", Yes: "true", No: "false", Open: d.Args.Quote, Close: d.Args.Quote,
		Plain: rules.AnyChar, Markers: []string{d.Args.Quote, strings.TrimSpace(d.Frame.Call.Close)}, BareKeys: true,
	}
}
