package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
	"github.com/toolparse/toolparse/internal/printable"
)

// runView shows a run: what the model says to the user on stdout, all the rest on stderr,
// or every event as JSON.
type runView struct {
	*cli
	json      bool
	dim       bool // stderr understands colors
	screen    bool // stdout is a terminal, which would obey the model's control characters
	person    *bufio.Reader
	running   context.Context // ends when the run is interrupted
	column    int             // on stderr, of the line that is being written
	shown     int             // bytes of the open call's arguments
	notice    string          // the last notice
	inText    bool            // stdout has an unfinished line
	fixedForm bool            // the final answer has a required form, and nothing else goes to stdout
}

func (c *cli) newRunView(ctx context.Context, output string) *runView {
	v := &runView{cli: c, running: ctx, json: output == outputJSON, screen: isTerminal(c.stdout.w)}
	v.dim = isTerminal(c.stderr.w) && c.getenv("NO_COLOR") == ""
	if isTerminal(c.stdin) {
		v.person = bufio.NewReader(c.stdin)
	}
	return v
}

// alone returns a policy for runs without a person: it denies the calls about which the
// other policy asks.
func alone(policy agent.Policy) agent.Policy {
	return func(ctx context.Context, call agent.Call) agent.Decision {
		d := policy(ctx, call)
		if d.Verdict == agent.Ask {
			d = agent.Decision{Verdict: agent.Deny, Reason: "it needs approval (" + d.Reason + "), and there is nobody to ask"}
		}
		return d
	}
}

// follow shows the events of a run, and returns the last one. It calls before, which may
// be nil, with each event first.
func (v *runView) follow(events iter.Seq2[agent.Event, error], before func(agent.Event) error) (end agent.Event, err error) {
	for e := range events {
		if before != nil {
			if err := before(e); err != nil {
				return e, err
			}
		}
		if err := v.show(e); err != nil {
			return e, err
		}
		end = e
	}
	return end, nil
}

// show shows an event, and asks the person for a permission that it requests.
func (v *runView) show(e agent.Event) error {
	if v.json {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := v.stdout.Write(append(printable.JSON(line), '\n')); err != nil {
			return err
		}
	} else if err := v.tellEvent(e); err != nil {
		return err
	}
	if e.Type == agent.PermissionRequest && v.person != nil { // otherwise it waits in the session
		return v.ask(e)
	}
	return nil
}

func (v *runView) tellEvent(e agent.Event) error {
	switch e.Type {
	case agent.TurnStart:
		return v.endText()
	case agent.Segment:
		return v.segment(e.Segment)
	case agent.CallResult:
		v.result(e.Result)
	case agent.CallProgress:
		v.note("%s: %s", e.Call.Name, printable.Text(e.Text))
	case agent.Notice:
		v.notice = e.Text
		v.note("%s", printable.Text(e.Text))
	case agent.RunEnd:
		return v.end(e)
	}
	return nil
}

// segment shows a piece of the model's answer.
func (v *runView) segment(e toolparse.StreamEvent) error {
	switch {
	case e.Segment.IsCall():
		switch e.Type {
		case toolparse.SegmentStart:
			if err := v.endText(); err != nil {
				return err
			}
			v.shown = 0
			v.write("> " + printable.Text(e.Name) + " ")
			for name, value := range e.Parameters() { // of a file tool, before its content
				v.argument(name + "=" + string(value) + " ")
			}
		case toolparse.SegmentContent:
			v.argument(e.Payload)
		case toolparse.SegmentEnd:
			v.endLine()
		}
	case e.Type != toolparse.SegmentContent:
		if e.Type == toolparse.SegmentEnd && e.Segment == toolparse.SegmentReasoning {
			v.endLine()
		}
	case e.Segment == toolparse.SegmentReasoning:
		v.dimmed(e.Payload)
	default:
		return v.say(e.Payload)
	}
	return nil
}

// say shows the model's text, without the blank lines between its calls.
func (v *runView) say(text string) error {
	if !v.inText {
		text = strings.TrimLeft(text, "\r\n")
	}
	if text == "" {
		return nil
	}
	if v.fixedForm {
		v.dimmed(text)
		return nil
	}
	v.endLine()
	v.inText = !strings.HasSuffix(text, "\n")
	return v.print(text)
}

// print writes the model's text to stdout: unchanged to a file or a program, with escaped
// control characters to a terminal.
func (v *runView) print(text string) error {
	if v.screen {
		columns := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\t")
		for i := range columns {
			columns[i] = printable.Lines(columns[i])
		}
		text = strings.Join(columns, "\t")
	}
	_, err := io.WriteString(v.stdout, text)
	return err
}

// maxArguments limits the bytes of a call's arguments that are shown.
const maxArguments = 300

// argument shows a piece of a call's arguments, on one line.
func (v *runView) argument(text string) {
	room := maxArguments - v.shown
	if room <= 0 {
		return
	}
	v.shown += len(text)
	v.write(printable.Text(printable.Short(text, room)))
}

// endText ends the line of the model's text.
func (v *runView) endText() error {
	if !v.inText {
		return nil
	}
	v.inText = false
	_, err := io.WriteString(v.stdout, "\n")
	return err
}

func (v *runView) result(r *agent.ToolResult) {
	v.endLine()
	text := strings.TrimSpace(r.Output)
	if r.Err != nil {
		text = r.Err.Message
	}
	lines := strings.Split(text, "\n")
	first := printable.Short(lines[0], 200)
	if more := len(lines) - 1; more > 0 {
		first += fmt.Sprintf(" (and %d more lines)", more)
	}
	mark := "< " + printable.Text(r.Name)
	switch {
	case r.Err != nil && !r.Ran:
		mark += " was not run"
		first = whyNotRun(first, r.Name)
	case r.Err != nil:
		mark += " failed"
		first = strings.TrimPrefix(first, fmt.Sprintf("%q failed: ", r.Name))
	}
	v.write(mark + ": " + first + "\n")
}

// whyNotRun removes the first words from the message of a call that did not run, if they
// only say that.
func whyNotRun(message, tool string) string {
	for _, prefix := range []string{fmt.Sprintf("The call of %q was not run", tool), fmt.Sprintf("%q was not run", tool), "not run"} {
		if why, ok := strings.CutPrefix(message, prefix); ok {
			return strings.TrimLeft(why, ":, ")
		}
	}
	return message
}

func (v *runView) note(format string, args ...any) {
	v.endLine()
	v.warn(format, args...)
}

// end shows how the run ended.
func (v *runView) end(e agent.Event) error {
	if err := v.endText(); err != nil {
		return err
	}
	v.endLine()
	if e.Reason == agent.TerminalTool || e.Reason == agent.FinalAnswer && v.fixedForm {
		if err := v.print(strings.TrimSuffix(e.Text, "\n") + "\n"); err != nil {
			return err
		}
	}
	if v.waitsForPerson(e) {
		return nil
	}
	text := fmt.Sprintf("[%s: %s, %s", e.Reason, counted(e.Turn, "turn"), counted(e.Step.Calls, "call"))
	if tokens := e.Step.Usage.Total; tokens > 0 {
		text += ", " + counted(tokens, "token")
	}
	if e.Step.Cost > 0 {
		text += fmt.Sprintf(", cost %.4g", e.Step.Cost)
	}
	v.write(text + "]\n")
	switch {
	case e.Reason == agent.Cancelled && errors.Is(e.Err, context.DeadlineExceeded):
		v.warn("the run took longer than --timeout allows")
	case e.Err != nil && e.Err.Error() == v.notice:
		v.warn("the model was warned, and did not stop")
	case e.Err != nil:
		v.warn("%v", e.Err)
	}
	for _, call := range e.Waiting {
		v.warn("waiting: %s", call.Summary())
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tellLacks warns about the categories that a task seems to need, and of which no tool is
// offered.
func (v *runView) tellLacks(set *tools.Set, task string, words []string) error {
	if task == "" || v.json {
		return nil
	}
	coverage, err := set.Check(task, words...)
	if err == nil && !coverage.Complete {
		v.note("the task may need tools that are not offered: %s; toolparse tools --check lists them", strings.Join(coverage.MissingCategories, ", "))
	}
	return err
}

// ask asks the person for a permission.
func (v *runView) ask(e agent.Event) error {
	v.endLine()
	v.write(fmt.Sprintf("%s wants to run, risk %s: %s\n%s\n", e.Call.Name, strings.ToUpper(e.Call.Info().Risk.String()), e.Decision.Reason, e.Call.Arguments))
	if preview := e.Call.Info().Preview; preview != nil {
		if text, err := preview(context.Background(), e.Call); err != nil {
			v.write(fmt.Sprintf("it would fail: %v\n", err))
		} else {
			v.write(text)
		}
	}
	for {
		v.write("[1] Allow Once [2] Session [3] Remember [4] Deny: ")
		line, err := v.readLine()
		v.column = 0
		answers := map[string]agent.Answer{"1": agent.AllowOnce, "2": agent.AllowSession, "3": agent.AllowAlways, "4": agent.DenyCall}
		if answer, ok := answers[strings.TrimSpace(line)]; ok {
			if err := e.Answer(answer); err == nil {
				return nil
			} else {
				v.warn("%v", err)
			}
		}
		if err != nil { // the person has gone
			return e.Answer(agent.DenyCall)
		}
	}
}

// readLine reads a line from the person. It fails if the run is interrupted meanwhile.
func (v *runView) readLine() (string, error) {
	if v.running.Err() != nil { // an earlier read may still go on
		return "", errInterrupted
	}
	return unlessInterrupted(v.running, func() (string, error) { return v.person.ReadString('\n') })
}

// waitsForPerson reports whether a run waits only for answers that the person can give.
func (v *runView) waitsForPerson(end agent.Event) bool {
	return v.person != nil && len(end.Waiting) > 0 && !slices.ContainsFunc(end.Waiting, func(c agent.Call) bool { return c.Name != askTool })
}

// askTool is the tool whose questions the person answers on the terminal.
const askTool = "ask_user"

// questions asks the person the model's questions, if the run waits only for those. It
// returns nil if the person has gone.
func (v *runView) questions(end agent.Event) []agent.ToolResult {
	if !v.waitsForPerson(end) {
		return nil
	}
	var results []agent.ToolResult
	for _, call := range end.Waiting {
		var in struct {
			Question string
			Choices  []string
		}
		_ = json.Unmarshal(call.Arguments, &in) // the loop has validated them
		v.endLine()
		v.write("? " + in.Question + "\n")
		for i, choice := range in.Choices {
			v.write(fmt.Sprintf("  [%d] %s\n", i+1, choice))
		}
		v.write("> ")
		line, err := v.readLine()
		v.column = 0
		text := strings.TrimSpace(line)
		if err != nil && text == "" {
			return nil
		}
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(in.Choices) {
			text = in.Choices[n-1]
		}
		results = append(results, agent.ToolResult{CallID: call.ID, Name: call.Name, Result: agent.Result{Output: text}, Ran: true, At: time.Now()})
	}
	return results
}

// write shows text on stderr.
func (v *runView) write(text string) {
	fmt.Fprint(v.stderr, text)
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		v.column = len(text) - at - 1
	} else {
		v.column += len(text)
	}
}

// dimmed shows reasoning.
func (v *runView) dimmed(text string) {
	if !v.dim {
		v.write(text)
		return
	}
	io.WriteString(v.stderr.w, "\x1b[2m")
	v.write(text)
	io.WriteString(v.stderr.w, "\x1b[0m")
}

// endLine ends the line that is being written on stderr.
func (v *runView) endLine() {
	if v.column > 0 {
		v.write("\n")
	}
}
