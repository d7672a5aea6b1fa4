package toolparse_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Recordings, each with NAME.expect.json: the project's own, and those of real
// providers that lie beside the project where it is developed.
var recordings = []string{"testdata/streams", "../shared/streams"}

// expectation is what a recording must give, in the form of its neighbour file.
type expectation struct {
	Text     string
	Thinking string
	Calls    []expectedCall
	Order    []string
	// Restarted: the server began the message anew, and only what came last
	// counts. Events cannot be taken back, so we have more.
	Restarted bool
	// OtherItems are items that the recording counts as no calls. Some are: the
	// client runs them.
	OtherItems []string `json:"other_items"`
}

type expectedCall struct {
	ID           *string
	Name         string
	Arguments    json.RawMessage
	RawArguments *string `json:"raw_arguments"`
	CustomInput  *string `json:"custom_input"`
	Incomplete   bool
}

// outcome is what the pipeline made of a recording.
type outcome struct {
	text, reasoning string
	calls           []toolcall.ToolInvocation
	order           []string // the types of the segments, one after the other
}

// leaveOut leaves out the calls that are items of these types.
func (o *outcome) leaveOut(items []string) {
	was := len(o.calls)
	o.calls = slices.DeleteFunc(o.calls, func(c toolcall.ToolInvocation) bool { return slices.Contains(items, c.Name+"_call") })
	if len(o.calls) == 0 && was > 0 {
		o.calls, o.order = nil, nil
	}
}

// TestRecordings runs every recording through format, parser and adapter,
// whole and byte by byte.
func TestRecordings(t *testing.T) {
	var expected []string
	for _, folder := range recordings {
		found, err := filepath.Glob(filepath.Join(folder, "*.expect.json"))
		if err != nil {
			t.Fatal(err)
		}
		expected = append(expected, found...)
	}
	if len(expected) == 0 {
		t.Fatal("no recordings")
	}
	for _, path := range expected {
		stem := strings.TrimSuffix(path, ".expect.json")
		t.Run(filepath.Base(stem), func(t *testing.T) {
			var want expectation
			readJSON(t, path, &want)
			body := readRecording(t, stem)
			whole := runPipeline(t, bytes.NewReader(body))
			whole.leaveOut(want.OtherItems)
			checkOutcome(t, want, whole)
			bytewise := runPipeline(t, iotest.OneByteReader(bytes.NewReader(body)))
			bytewise.leaveOut(want.OtherItems)
			if diff := cmp.Diff(whole, bytewise, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("byte by byte it gives something else (-whole +bytes):\n%s", diff)
			}
		})
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func readRecording(t *testing.T, stem string) []byte {
	t.Helper()
	files, err := filepath.Glob(stem + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".expect.json") {
			continue
		}
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	t.Fatalf("no recording beside %s.expect.json", stem)
	return nil
}

// runPipeline takes a response body through all stages. Errors of the stream
// itself are not its matter.
func runPipeline(t *testing.T, body io.Reader) outcome {
	t.Helper()
	var out outcome
	var order parser.Order
	calls, err := adapter.New(adapter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	deltas := format.NewStream(body, format.Options{}).Deltas()
	for e, err := range parser.Events(deltas, parser.Options{}) {
		if err != nil {
			break
		}
		if err := order.Check(e); err != nil {
			t.Error(err)
		}
		switch {
		case e.Segment == toolcall.SegmentRefusal: // expectations keep it apart
		case e.Type == toolcall.SegmentStart:
			out.order = append(out.order, string(e.Segment))
		case e.Segment == toolcall.SegmentText:
			out.text += e.Delta()
		case e.Segment == toolcall.SegmentReasoning:
			out.reasoning += e.Delta()
		}
		if call, ok := calls.Add(e); ok {
			out.calls = append(out.calls, call)
		}
	}
	out.calls = append(out.calls, calls.Close()...)
	return out
}

func checkOutcome(t *testing.T, want expectation, got outcome) {
	t.Helper()
	if want.Restarted {
		checkLast(t, want, got)
		return
	}
	if got.text != want.Text {
		t.Errorf("text\nwant %q\ngot  %q", want.Text, got.text)
	}
	if got.reasoning != want.Thinking {
		t.Errorf("reasoning\nwant %q\ngot  %q", want.Thinking, got.reasoning)
	}
	if len(got.calls) != len(want.Calls) {
		t.Fatalf("%d calls, want %d: %+v", len(got.calls), len(want.Calls), got.calls)
	}
	for i, w := range want.Calls {
		checkCall(t, w, got.calls[i])
	}
	if diff := cmp.Diff(segmentTypes(want.Order), got.order); diff != "" && want.Order != nil {
		t.Errorf("order of segments (-want +got):\n%s", diff)
	}
}

// checkLast compares only the end of the outcome.
func checkLast(t *testing.T, want expectation, got outcome) {
	t.Helper()
	if !strings.HasSuffix(got.text, want.Text) || !strings.HasSuffix(got.reasoning, want.Thinking) {
		t.Errorf("text %q, reasoning %q do not end as %q and %q", got.text, got.reasoning, want.Text, want.Thinking)
	}
	for i, w := range want.Calls {
		checkCall(t, w, got.calls[len(got.calls)-len(want.Calls)+i])
	}
}

// segmentTypes translates an expected order, such as thinking, text, call:0.
func segmentTypes(order []string) []string {
	var types []string // nil, as an outcome without segments has it
	for _, kind := range order {
		switch kind, _, _ = strings.Cut(kind, ":"); kind {
		case "thinking":
			types = append(types, "reasoning")
		case "call":
			types = append(types, "tool_call")
		default:
			types = append(types, kind)
		}
	}
	return types
}

func checkCall(t *testing.T, want expectedCall, got toolcall.ToolInvocation) {
	t.Helper()
	if got.Name != want.Name {
		t.Errorf("call %q, want %q", got.Name, want.Name)
	}
	if want.ID != nil && got.CallID != *want.ID {
		t.Errorf("call id %q, want %q", got.CallID, *want.ID)
	}
	if want.Incomplete {
		if got.Status == toolcall.Complete || got.Runnable() {
			t.Errorf("call %q was cut, but is %v", got.Name, got.Status)
		}
		return
	}
	if got.Status != toolcall.Complete {
		t.Errorf("call %q is %v (%v)", got.Name, got.Status, got.Reason)
	}
	wantArgs := string(want.Arguments)
	if want.CustomInput != nil {
		text, err := json.Marshal(map[string]string{"input": *want.CustomInput})
		if err != nil {
			t.Fatal(err)
		}
		wantArgs = string(text)
	}
	if diff := cmp.Diff(decode(t, wantArgs), decode(t, string(got.Arguments))); diff != "" {
		t.Errorf("arguments of %q (-want +got):\n%s", got.Name, diff)
	}
}

// decode keeps numbers exact.
func decode(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}
