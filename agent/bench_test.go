package agent_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
)

// BenchmarkRun measures the loop itself: a run whose model makes one call in each turn,
// of a tool that does nothing. With an unlimited history, the time of a turn may grow
// with the length of the conversation only because requests do.
func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct {
		name    string
		turns   int
		history agent.History
	}{
		{"turns=10", 10, agent.History{}},
		{"turns=100", 100, agent.History{}},
		{"turns=1000", 1000, agent.History{}},
		{"turns=1000/bounded", 1000, agent.History{MaxTokens: 2000}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			recording := &provider.Recording{}
			for i := range bench.turns {
				recording.Answers = append(recording.Answers, []byte(call("look", "n", fmt.Sprint(i))))
			}
			b.ReportAllocs()
			for b.Loop() {
				p := provider.Replay(recording, provider.Config{Dialect: "xml"})
				a := newAgent(b, agent.Config{Provider: p, Tools: []agent.Tool{echo("look")}, MaxTurns: bench.turns, History: bench.history})
				var end agent.Event
				for e := range a.Run(b.Context(), agent.NewSession(), agent.Say("Go.")) {
					end = e
				}
				if end.Reason != agent.Limit {
					b.Fatal(end.Reason, end.Err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*bench.turns), "µs/turn")
		})
	}
}

// BenchmarkSession measures storing a session of many turns, as "toolparse run --session"
// does after each event.
func BenchmarkSession(b *testing.B) {
	var answers []string
	for i := range 100 {
		answers = append(answers, call("look", "n", fmt.Sprint(i)))
	}
	s := agent.NewSession()
	a := newAgent(b, agent.Config{Provider: play(b, answers...), Tools: []agent.Tool{echo("look")}, MaxTurns: 100})
	for range a.Run(b.Context(), s, agent.Say("Go.")) {
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(s); err != nil {
			b.Fatal(err)
		}
	}
}
