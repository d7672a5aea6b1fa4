package adapter

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/toolcall"
)

// Explain tells the model why its call was not run, and what to do about it. tools are
// the declared tools, and may be nil. Explain returns "" for a call that is Runnable.
func Explain(call toolcall.ToolInvocation, tools []toolcall.ToolDefinition) string {
	if call.Runnable() {
		return ""
	}
	if call.Unknown && call.Status == toolcall.Complete {
		return noSuchTool(call.Name, tools)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The call of %s was not run: ", nameOf(call))
	if call.Status == toolcall.Complete {
		b.WriteString("its arguments do not fit the tool's parameters.")
	} else {
		b.WriteString(why(call))
	}
	for _, p := range call.Problems {
		b.WriteString("\n- " + p.Error())
	}
	if len(call.Problems) > 0 {
		b.WriteString("\n")
	} else {
		b.WriteString(" ")
	}
	b.WriteString(whatNow(call))
	return b.String()
}

func nameOf(call toolcall.ToolInvocation) string {
	if call.Name == "" {
		return "a tool"
	}
	return fmt.Sprintf("%q", call.Name)
}

// reasons say why a call is not complete, and what the model should do instead of sending it
// again. why adds what only the call knows.
var reasons = map[toolcall.Reason]struct{ why, whatNow string }{
	toolcall.ReasonEndOfStream:        {why: "it was cut off before it ended"},
	toolcall.ReasonTruncated:          {"it was cut off at the limit for the output's length", inParts},
	toolcall.ReasonStreamError:        {why: "it was cut off by an error of the connection"},
	toolcall.ReasonInvalidJSON:        {why: "its arguments are not valid JSON"},
	toolcall.ReasonNotAnObject:        {why: "its arguments are not a JSON object"},
	toolcall.ReasonNoName:             {why: "it does not name the tool"},
	toolcall.ReasonUnreadArgument:     {why: "a part of it that may be arguments could not be read as such"},
	toolcall.ReasonMissingContent:     {why: "it lacks something that the tool needs"},
	toolcall.ReasonArgumentsDiffer:    {why: "its final arguments or name contradict the streamed ones"},
	toolcall.ReasonToleranceForbidden: {why: "it does not follow the format"},
	toolcall.ReasonCallTooLarge:       {"it is too large", inParts},
	toolcall.ReasonTooDeep:            {"its arguments are nested too deep", "Send it again with flatter arguments."},
	toolcall.ReasonTooManyCalls:       {"there were too many calls in one answer", "Make fewer calls at once."},
	toolcall.ReasonTooMuchHeld:        {"one of its values is too long for its syntax", inParts},
	toolcall.ReasonRestarted:          {why: "the connection broke, and the answer was restarted"},
	toolcall.ReasonDuplicate:          {"it repeats an earlier call, which counts once", "Do not send it again."},
}

const inParts = "Send it again in smaller parts: split long content over several calls."

// why says why a call is not complete.
func why(call toolcall.ToolInvocation) string {
	text := reasons[call.Reason].why
	switch {
	case text == "":
		text = "it is " + call.Status.String()
	case call.Reason == toolcall.ReasonInvalidJSON:
		text += whereBroken(call.Arguments)
	case call.Reason == toolcall.ReasonToleranceForbidden:
		text += " (" + strings.Join(call.Tolerances.Names(), ", ") + ")"
	}
	return text + "."
}

// whatNow tells the model what to do.
func whatNow(call toolcall.ToolInvocation) string {
	if text := reasons[call.Reason].whatNow; text != "" {
		return text
	}
	if len(call.Problems) > 0 {
		return "Correct this and send the whole call again."
	}
	return "Send the whole call again."
}

// maxShown bounds how many bytes of broken arguments a message quotes.
const maxShown = 40

// whereBroken quotes the text before the place where the JSON is broken.
func whereBroken(args []byte) string {
	_, _, err := repair(string(args))
	var broken *jsonstream.RepairError
	if !errors.As(err, &broken) {
		return ""
	}
	from := max(0, broken.Offset-maxShown)
	for from > 0 && from < len(args) && !utf8.RuneStart(args[from]) {
		from++
	}
	sample := string(args[from:broken.Offset])
	switch {
	case errors.Is(err, jsonstream.ErrCut):
		return fmt.Sprintf(": they are cut off after %q", sample)
	case broken.Offset == 0:
		return ""
	}
	return fmt.Sprintf(" at byte %d, after %q", broken.Offset, sample)
}

// maxTools bounds how many tools a message lists.
const maxTools = 30

// noSuchTool says that a tool is not declared, and suggests similar names.
func noSuchTool(name string, tools []toolcall.ToolDefinition) string {
	names := make([]string, len(tools))
	quoted := make([]string, len(tools))
	for i, def := range tools {
		names[i], quoted[i] = def.Name, fmt.Sprintf("%q", def.Name)
	}
	text := fmt.Sprintf("There is no tool %q.", name)
	if found := near.Names(name, names, 3); len(found) > 0 {
		for i := range found {
			found[i] = fmt.Sprintf("%q", found[i])
		}
		text += " Did you mean " + strings.Join(found, " or ") + "?"
	}
	if len(quoted) > 0 {
		more := ""
		if n := len(quoted) - maxTools; n > 0 {
			quoted, more = quoted[:maxTools], fmt.Sprintf(" and %d more", n)
		}
		text += " The tools are " + strings.Join(quoted, ", ") + more + "."
	}
	return text + " Call one of the declared tools, or answer without any."
}
