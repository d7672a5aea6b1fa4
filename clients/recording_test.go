package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// recording is the stream of a server, with what it says.
type recording struct {
	name string
	wire format.Wire
	body []byte
	expectation
}

// expectation is what stands in NAME.expect.json; see testdata/streams/README.md.
type expectation struct {
	Format, Text, Thinking, Refusal, Finish string
	Calls                                   []struct {
		ID, Name     string
		Arguments    json.RawMessage
		RawArguments string  `json:"raw_arguments"`
		CustomInput  *string `json:"custom_input"`
		Incomplete   bool
	}
	BlockReason string `json:"block_reason"`
	Terminated  *bool
	Restarted   bool
	Error       any
	OtherItems  []string `json:"other_items"` // of Responses, that count as no calls
}

// asksOtherwise reports whether an item that the recording counts as no call is one,
// since the client runs it.
func (e *expectation) asksOtherwise() bool { return slices.Contains(e.OtherItems, "apply_patch_call") }

var wires = map[string]format.Wire{
	"openai-chat": format.OpenAI, "openai-responses": format.Responses,
	"anthropic": format.Anthropic, "gemini": format.Gemini, "ollama": format.Ollama,
}

// recordings returns our own, and those of real servers, where they lie beside
// the project.
func recordings(t testing.TB) []recording {
	t.Helper()
	var list []recording
	for _, folder := range []string{"../testdata/streams", "../../shared/streams"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.expect.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if r := load(t, file); !r.asksOtherwise() {
				list = append(list, r)
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("there are no recordings")
	}
	return list
}

func load(t testing.TB, file string) recording {
	t.Helper()
	r := recording{name: strings.TrimSuffix(filepath.Base(file), ".expect.json")}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r.expectation); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	r.wire = wires[r.Format]
	base := strings.TrimSuffix(file, ".expect.json")
	for _, ext := range []string{".sse", ".ndjson", ".json"} {
		if r.body, err = os.ReadFile(base + ext); err == nil {
			return r
		}
	}
	if r.body, err = os.ReadFile(base + ".chunks.txt"); err != nil {
		t.Fatal(err)
	}
	r.body = framed(t, r.body)
	return r
}

// framed puts the frame back around events that were published without it.
func framed(t testing.TB, chunks []byte) []byte {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(string(chunks))) {
		line = strings.TrimSpace(line)
		var event struct{ Type string }
		if err := json.Unmarshal([]byte(line), &event); err == nil && event.Type != "" {
			fmt.Fprintf(&out, "event: %s\n", event.Type)
		}
		fmt.Fprintf(&out, "data: %s\n\n", line)
	}
	return []byte(out.String())
}

// expected returns what a client of a wire must make of the recording, given
// what was lost on the way there.
func (r *recording) expected(to format.Wire, losses []chat.Loss) said {
	s := said{Text: r.Text + r.Refusal, Thinking: r.Thinking}
	s.Failed = r.Error != nil || r.Terminated != nil && !*r.Terminated
	cut := false
	for _, c := range r.Calls {
		arguments := string(c.Arguments)
		switch {
		case c.Incomplete:
			cut = true
			switch to {
			case format.Gemini, format.Ollama:
				continue // nothing of the call can be sent
			case format.Anthropic:
				arguments = "{}" // what the client makes of what is cut
			default:
				arguments = c.RawArguments
			}
		case c.CustomInput != nil:
			text, _ := json.Marshal(map[string]string{"input": *c.CustomInput})
			arguments = string(text)
		}
		if to == format.Gemini || to == format.Ollama {
			arguments = rounded(arguments)
		}
		s.Calls = append(s.Calls, call{idOn(c.ID, losses), c.Name, canonical(arguments)})
	}
	s.Finish = r.finishOn(to, cut)
	return s
}

// rounded returns arguments as clients have them that decode all numbers as
// floating-point ones.
func rounded(arguments string) string {
	var v any
	if json.Unmarshal([]byte(arguments), &v) != nil {
		return arguments
	}
	out, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return string(out)
}

// idOn returns the id that stands for another one, as the losses have it.
func idOn(id string, losses []chat.Loss) string {
	for _, l := range losses {
		if other, ok := strings.CutPrefix(l.Action, id+" is written "); ok && id != "" {
			return other
		}
	}
	return id
}

// finishOn returns the reason as a wire can say it.
func (r *recording) finishOn(to format.Wire, cut bool) string {
	f := wire.ReadFinish(string(r.wire), r.Finish)
	if r.BlockReason != "" {
		f.Reason = chat.FinishContentFilter
	}
	if f.Reason == chat.FinishUnset { // some servers tell none
		f.Reason = chat.FinishStop
	}
	if cut && !wire.IsCut(f.Reason) {
		f.Reason = chat.FinishLength
	}
	reason := wire.WithCalls(f, len(r.Calls) > 0).Reason
	switch {
	case reason == chat.FinishRefusal && to != format.Anthropic:
		reason = chat.FinishContentFilter
	case reason == chat.FinishContentFilter && to == format.Anthropic:
		reason = chat.FinishRefusal
	}
	if reason == chat.FinishContentFilter && to == format.Ollama {
		reason = chat.FinishLength
	}
	return reason.String()
}
