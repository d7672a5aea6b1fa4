package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/agent/tools"
)

// The person is asked with the tool, its risk, the arguments and the four answers; what is
// no answer is asked about again, and who has gone says no.
func TestRunAsks(t *testing.T) {
	tests := []struct {
		typed string
		ran   int
		asked int // times that the question is shown
	}{
		{"1\n4\n", 1, 2}, {"2\n", 2, 1}, {"3\n", 2, 1}, {"4\n4\n", 0, 2}, {"yes\n1\n1\n", 2, 3}, {"", 0, 2},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.typed, "\n", ","), func(t *testing.T) {
			var shown strings.Builder
			c := &cli{stdout: &stdout{w: &strings.Builder{}}, stderr: terminal{&shown}, getenv: noEnv}
			v := c.newRunView(t.Context(), outputText)
			v.person = bufio.NewReader(strings.NewReader(test.typed))
			const call = `<tool name="rm"><arguments><arg name="what">a` + "\x1b" + `b</arg></arguments></tool>`
			p := provider.Replay(&provider.Recording{Answers: [][]byte{[]byte(call), []byte("Again. " + call), []byte("Done.")}}, provider.Config{})
			ran, remembered := 0, 0
			rm := agent.NewTool("rm", "Removes something.", func(context.Context, map[string]any) (string, error) {
				ran++
				return "", nil
			}, func(i *agent.Info) { i.Risk = agent.High })
			a, err := agent.New(agent.Config{Provider: p, Remember: func(agent.Rule) error { remembered++; return nil }, Tools: []agent.Tool{rm}})
			if err != nil {
				t.Fatal(err)
			}
			for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Go.")) {
				if err := v.show(e); err != nil {
					t.Fatal(err)
				}
			}
			text := shown.String()
			if asked := strings.Count(text, "[1] Allow Once [2] Session [3] Remember [4] Deny: "); ran != test.ran || asked != test.asked {
				t.Errorf("it ran %d times, and was asked about %d times:\n%s", ran, asked, text)
			}
			if (remembered > 0) != strings.HasPrefix(test.typed, "3") {
				t.Errorf("%d rules were kept", remembered)
			}
			if !strings.Contains(text, "rm wants to run, risk HIGH: warning: ") || strings.Contains(text, "\x1b") {
				t.Errorf("it shows\n%q", text)
			}
		})
	}
}

// What the model writes, or submits, cannot rule the terminal, and is as it is elsewhere.
func TestRunText(t *testing.T) {
	for screen, want := range map[bool]string{
		true:  "a\tb\\x1b[2J\nc\\u009b \\x00\nd\\x07\n",
		false: "a\tb\x1b[2J\r\nc\u009b \x00\nd\x07\n",
	} {
		var out, shown strings.Builder
		c := &cli{stdout: &stdout{w: &out}, stderr: terminal{&shown}, getenv: noEnv}
		v := c.newRunView(t.Context(), outputText)
		v.screen = screen
		for _, e := range []agent.Event{
			{Type: agent.Segment, Segment: toolparse.StreamEvent{Event: toolparse.Event{Type: toolparse.SegmentContent, Segment: toolparse.SegmentText, Payload: "a\tb\x1b[2J\r\nc\u009b \x00"}}},
			{Type: agent.RunEnd, Reason: agent.TerminalTool, Text: "d\x07"},
		} {
			if err := v.show(e); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != want {
			t.Errorf("a terminal: %t: %q, want %q", screen, out.String(), want)
		}
	}
}

// Each call stands on a line of its own, also where a piece of its arguments is empty.
func TestRunCallLines(t *testing.T) {
	var out, shown strings.Builder
	c := &cli{stdout: &stdout{w: &out}, stderr: terminal{&shown}, getenv: noEnv}
	v := c.newRunView(t.Context(), outputText)
	for _, name := range []string{"f", "g"} {
		for _, e := range []toolparse.Event{
			{Type: toolparse.SegmentStart, Segment: toolparse.SegmentToolCall, Name: name},
			{Type: toolparse.SegmentContent, Segment: toolparse.SegmentToolCall, Payload: "{}"},
			{Type: toolparse.SegmentContent, Segment: toolparse.SegmentToolCall},
			{Type: toolparse.SegmentEnd, Segment: toolparse.SegmentToolCall},
		} {
			if err := v.show(agent.Event{Type: agent.Segment, Segment: toolparse.StreamEvent{Event: e}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := "> f {}\n> g {}\n"; shown.String() != want {
		t.Errorf("it shows %q, want %q", shown.String(), want)
	}
}

// A run that takes too long names the flag.
func TestRunEnds(t *testing.T) {
	for err, want := range map[error]string{nil: "", context.DeadlineExceeded: "--timeout"} {
		var shown strings.Builder
		v := (&cli{stdout: &stdout{w: &strings.Builder{}}, stderr: terminal{&shown}, getenv: noEnv}).newRunView(t.Context(), outputText)
		if err := v.show(agent.Event{Type: agent.RunEnd, Reason: agent.Cancelled, Err: err}); err != nil {
			t.Fatal(err)
		}
		if text := shown.String(); !strings.Contains(text, want) || strings.Contains(text, "toolparse: ") != (want != "") {
			t.Errorf("%v: %q, want %q", err, text, want)
		}
	}
}

// An interrupt ends the wait for a person who does not answer.
func TestRunAskIsInterrupted(t *testing.T) {
	silent, w := io.Pipe()
	t.Cleanup(func() { w.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	v := &runView{person: bufio.NewReader(silent), running: ctx}
	for range 2 { // the second does not read beside the first
		if line, err := v.readLine(); line != "" || !errors.Is(err, errInterrupted) {
			t.Errorf("%q, %v", line, err)
		}
	}
}

// A question of the model is put to the person, and the run goes on with the answer; one
// that nobody answers ends it.
func TestRunAsksUser(t *testing.T) {
	for typed, want := range map[string]string{"2\n": "blue", "green \n": "green", "": ""} {
		var shown strings.Builder
		c := &cli{stdout: &stdout{w: &strings.Builder{}}, stderr: terminal{&shown}, getenv: noEnv}
		v := c.newRunView(t.Context(), outputText)
		v.person = bufio.NewReader(strings.NewReader(typed))
		const call = `<tool name="ask_user"><arguments><arg name="question">Which colour?</arg><arg name="choices">["red","blue"]</arg></arguments></tool>`
		p := provider.Replay(&provider.Recording{Answers: [][]byte{[]byte(call), []byte("Done.")}}, provider.Config{})
		set, err := tools.Workspace(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { set.Close() })
		list, err := set.Tools("ask_user")
		if err != nil {
			t.Fatal(err)
		}
		a, err := agent.New(agent.Config{Provider: p, Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		session := agent.NewSession()
		end, err := v.follow(a.Run(t.Context(), session, agent.Say("Paint.")), nil)
		if err != nil {
			t.Fatal(err)
		}
		results := v.questions(end)
		if text := shown.String(); !strings.Contains(text, "? Which colour?\n  [1] red\n  [2] blue\n> ") || strings.Contains(text, "waiting") {
			t.Errorf("it shows\n%s", text)
		}
		if typed == "" {
			if results != nil {
				t.Errorf("nobody answered, and it has %+v", results)
			}
			continue
		}
		if len(results) != 1 || results[0].Output != want {
			t.Fatalf("%q: %+v", typed, results)
		}
		end, err = v.follow(a.Run(t.Context(), session, agent.Input{Results: results}), nil)
		if err != nil || end.Reason != agent.FinalAnswer {
			t.Errorf("%q: %+v, %v", typed, end, err)
		}
	}
}

// A model that writes its calls as text works without -d: its calls are found in the text, and
// if the server refuses tools, the prompt lists them.
func TestRunTextModel(t *testing.T) {
	const call = "<tool_call>\n<function=list_files>\n<parameter=path>\n.\n</parameter>\n</function>\n</tool_call>"
	for _, refuses := range []bool{false, true} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			native := strings.Contains(string(body), `"tools":[`)
			if refuses && native {
				http.Error(w, `{"error":{"message":"tools param requires --jinja flag"}}`, http.StatusInternalServerError)
				return
			}
			if !native && !strings.Contains(string(body), "list_files") {
				t.Errorf("the model does not know its tools: %s", body)
			}
			asked++
			text := "It is empty."
			if asked == 1 {
				text = call
			}
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", text)
		}))
		t.Cleanup(server.Close)
		var out, shown strings.Builder
		c := &cli{stdout: &stdout{w: &out}, stderr: terminal{&shown}, getenv: noEnv}
		f := runFlags{
			server: provider.Config{Wire: "openai", BaseURL: server.URL + "/v1", Model: "qwen3-coder:30b"},
			config: agent.Config{MaxTurns: 5}, tools: []string{"list_files"}, approve: "safe",
			policies: filepath.Join(t.TempDir(), "policies.json"), output: outputText,
		}
		if err := c.runAgent(t.Context(), f, []string{"What is here?"}); err != nil {
			t.Errorf("refuses %t: %v\n%s", refuses, err, shown.String())
		}
		if text := shown.String(); out.String() != "It is empty.\n" || !strings.Contains(text, "< list_files: ") || strings.Contains(text, "the server accepts no tools: the prompt lists them") != refuses {
			t.Errorf("refuses %t: %q\n%s", refuses, out.String(), text)
		}
	}
}
