package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// A circle is told of once, also where it goes on after a person has allowed it, or in another
// process; another circle is told of, too.
func TestCirclesAreToldOnce(t *testing.T) {
	var answers []string
	for _, n := range []string{"1", "2"} {
		for range 6 {
			answers = append(answers, call("look", "n", n))
		}
	}
	config := agent.Config{Provider: play(t, append(answers, "Done.")...), Tools: []agent.Tool{echo("look")}, AskInLoops: true, MaxTurns: 20}
	s, told := agent.NewSession(), 0
	for in := agent.Say("Go."); ; {
		o := collect(t, newAgent(t, config), s, in)
		for _, e := range o.events {
			if e.Type == agent.Notice && strings.Contains(e.Text, "goes in circles") {
				told++
			}
		}
		if o.end.Reason != agent.RequiresAction {
			if o.end.Text != "Done." {
				t.Errorf("%s: %v", o.end.Reason, o.err)
			}
			break
		}
		in = agent.Input{Answers: map[string]agent.Answer{o.end.Waiting[0].ID: agent.AllowOnce}}
		s = reloaded(t, s)
	}
	if told != 2 {
		t.Errorf("told %d times of two circles", told)
	}
}

// An answer with far more calls than may run costs no more than its first calls: the others
// are neither in the session nor sent back.
func TestFlood(t *testing.T) {
	for _, early := range []bool{false, true} {
		var flood strings.Builder
		for i := range 3000 {
			flood.WriteString(call("look", "n", fmt.Sprint(i)))
		}
		p, tool := play(t, flood.String(), "Done."), echo("look")
		s := agent.NewSession()
		o := collect(t, newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{tool}, Early: early}), s, agent.Say("Go."))
		if o.end.Reason != agent.FinalAnswer || tool.count() != 15 || len(o.results) != 256 {
			t.Errorf("early %t: %s: %v, with %d results, %d of them of the tool", early, o.end.Reason, o.err, len(o.results), tool.count())
		}
		if sent := len(p.requests[1].Messages); sent != 1+1+256 {
			t.Errorf("early %t: %d messages are sent back", early, sent)
		}
		told := slices.ContainsFunc(o.events, func(e agent.Event) bool {
			return e.Type == agent.Notice && strings.Contains(e.Text, "the answer has 3000 calls; those after the first 256 are left out")
		})
		if !told {
			t.Errorf("early %t: nobody is told", early)
		}
	}
}

// A request whose answer never came, since the process was killed, does not count as a turn.
func TestKilledWhileAsking(t *testing.T) {
	a := newAgent(t, agent.Config{Provider: play(t, "Done."), MaxTurns: 2})
	s := agent.NewSession()
	in := agent.Say("Go.")
	for range 5 {
		for e := range a.Run(t.Context(), s, in) {
			if e.Type == agent.TurnStart {
				break
			}
		}
		in = agent.Input{}
	}
	if o := collect(t, a, s, in); o.end.Reason != agent.FinalAnswer || s.Turns != 1 {
		t.Errorf("%s after %d turns: %v", o.end.Reason, s.Turns, o.err)
	}
}

// A process that is killed after an answer that only paused leaves a session that goes on.
func TestKilledAfterPause(t *testing.T) {
	const paused = `{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Well,"}],"stop_reason":"pause_turn","usage":{"input_tokens":1,"output_tokens":1}}`
	for _, until := range []int{1, 2} { // the number of requests before the kill
		a := newAgent(t, agent.Config{Provider: play(t, paused, "Done.", "Done.")})
		s, requests := agent.NewSession(), 0
		for e := range a.Run(t.Context(), s, agent.Say("Go.")) {
			if e.Type == agent.TurnStart {
				requests++
			}
			if requests == until && (until == 2 || e.Type == agent.TurnEnd) {
				break
			}
		}
		s = reloaded(t, s)
		if s.Done() {
			t.Errorf("after %d requests, the session counts as done", until)
		}
		if o := collect(t, a, s, agent.Input{}); o.end.Reason != agent.FinalAnswer || !s.Done() || s.Turns != until {
			t.Errorf("after %d requests: %s in %d turns: %v", until, o.end.Reason, s.Turns, o.err)
		}
	}
}

// A session that was edited by hand ends a run with an error that names the place, whatever is
// wrong with it.
func TestDamagedSession(t *testing.T) {
	const look = `"invocation":{"id":"a","name":"look","arguments":{},"status":"complete"}`
	for session, want := range map[string]string{
		`"turn":{}`:               "its turn has no calls",
		`"turn":{"calls":[null]}`: "turn.calls[0] has no invocation.id",
		`"turn":{"calls":[{}]}`:   "turn.calls[0] has no invocation.id",
		`"turn":{"calls":[{` + look + `},{` + look + `}]}`:                                                                   "turn.calls[1] has the invocation.id of another call",
		`"turn":{"calls":[{` + look + `,"status":"settled"}]}`:                                                               "turn.calls[0] is settled",
		`"turn":{"calls":[{` + look + `,"status":"queued","result":{}}]}`:                                                    "turn.calls[0] is queued",
		`"messages":[{"role":"user","parts":[{"kind":"text","text":"Go."}]},{"role":"assistant","parts":[{"kind":"call"}]}]`: "messages[1] has a part",
		`"messages":[{"role":"tool","parts":[{"kind":"result","result":{"parts":[{"kind":"image"}]}}]}]`:                     "messages[0] has a part",
		`"answer":{"role":"assistant","parts":[{"kind":"file"}]}`:                                                            "answer has a part",
		`"turn":{"calls":[{` + look + `,"status":"settled","result":{"parts":[{"kind":"call"}]}}]}`:                          "turn.calls[0].result has a part",
	} {
		for _, in := range []agent.Input{{}, agent.Say("Go.")} {
			s := agent.NewSession()
			if err := json.Unmarshal([]byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"Go."}]}],`+session+`}`), s); err != nil {
				t.Fatal(err)
			}
			tool := echo("look")
			for e, err := range newAgent(t, agent.Config{Provider: play(t, "Done."), Tools: []agent.Tool{tool}}).Run(t.Context(), s, in) {
				if e.Type != agent.RunEnd || !errors.Is(err, agent.ErrDamaged) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %s: %v, want %s", session, e.Type, err, want)
				}
			}
			if tool.count() > 0 {
				t.Errorf("%s: the tool ran", session)
			}
		}
	}
}
