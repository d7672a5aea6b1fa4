package dialect

import (
	"cmp"
	"slices"
)

// Ends says where an answer ends.
type Ends struct {
	// Turn is the token with which the models' own template ends a turn of the model.
	Turn string `json:"turn,omitempty"`
	// Stop lists stop sequences for requests, the most important first. By default they are
	// the markers that follow calls; see [Dialect.Stops].
	Stop []string `json:"stop,omitempty"`
}

// Stops returns the stop sequences of a request, the most important first: those that the
// row lists, or else what a result begins with and what ends a section of calls, and last
// what ends a turn. What a model writes after one of them is a result that it made up, or
// another turn. In them, {name} and other slots stand for any text, and a caller checks
// that an answer cut there still has its calls.
func (d *Dialect) Stops() []string {
	stops := slices.Clone(d.Ends.Stop)
	if stops == nil {
		results := d.ResultForm()
		stops = append(stops, cmp.Or(results.Turn.Open, results.Result.Open))
		if !d.Frame.Single {
			stops = append(stops, d.Frame.Section.Close)
		}
	}
	stops = append(stops, d.Ends.Turn)
	return slices.DeleteFunc(stops, func(s string) bool { return s == "" })
}
