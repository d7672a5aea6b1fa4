package toolcall

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInvocation(t *testing.T) {
	for _, tt := range []struct {
		name     string
		call     ToolInvocation
		runnable bool
		want     string
	}{
		{"complete",
			ToolInvocation{ID: "seg_1", Name: "add", Arguments: []byte(`{"a":1}`), Status: Complete}, true,
			`{"id":"seg_1","name":"add","arguments":{"a":1},"status":"complete"}`},
		{"markup stays readable",
			ToolInvocation{ID: "seg_1", Name: "add", Arguments: []byte(`{"a":"<b>"}`), Status: Complete}, true,
			`{"id":"seg_1","name":"add","arguments":{"a":"<b>"},"status":"complete"}`},
		{"cut short",
			ToolInvocation{ID: "seg_1", CallID: "c", Name: "add", Arguments: []byte(`{"a":`), Status: Incomplete, Reason: ReasonEndOfStream}, false,
			`{"id":"seg_1","call_id":"c","name":"add","arguments":null,"raw_arguments":"{\"a\":","status":"incomplete","reason":"end_of_stream"}`},
		{"unknown",
			ToolInvocation{ID: "seg_1", Name: "sub", Arguments: []byte(`{}`), Status: Complete, Unknown: true}, false,
			`{"id":"seg_1","name":"sub","arguments":{},"status":"complete","unknown":true}`},
		{"with a problem",
			ToolInvocation{ID: "seg_1", Name: "add", Arguments: []byte(`{}`), Status: Complete, Tolerances: MissingCloser,
				Problems: []Problem{{Path: "/a", Rule: "required", Message: "is missing"}}}, false,
			`{"id":"seg_1","name":"add","arguments":{},"status":"complete","tolerances":["missing_closer"],"problems":[{"path":"/a","rule":"required","message":"is missing"}]}`},
		{"everything",
			ToolInvocation{ID: "s\"", CallID: "c\n", Name: "n\u2028", Arguments: []byte(" {\"a\": [1 , \"\xff\x7f\"]} "), Status: Rejected, Reason: ReasonDuplicate,
				Tolerances: MissingCloser | CodeFence, Unknown: true, Problems: []Problem{{"", "r", "m"}, {"/a", "s", "\xff"}}, Unchecked: []string{"u", "v"}, Dialect: "xml", Start: 0, End: 9}, false,
			`{"id":"s\"","call_id":"c\n","name":"n\u2028","arguments":{"a":[1,"` + "\uFFFD" + `\u007f"]},"status":"rejected","reason":"duplicate_call","tolerances":["missing_closer","code_fence"],` +
				`"unknown":true,"problems":[{"path":"","rule":"r","message":"m"},{"path":"/a","rule":"s","message":"` + "\uFFFD" + `"}],"unchecked":["u","v"],"dialect":"xml","start":0,"end":9}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.call.Runnable(); got != tt.runnable {
				t.Errorf("runnable %v, want %v", got, tt.runnable)
			}
			got, err := tt.call.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProblem(t *testing.T) {
	for _, tt := range []struct {
		problem Problem
		want    string
	}{
		{Problem{Message: "is no object"}, "is no object"},
		{Problem{Path: "/a/0", Message: "is missing"}, "/a/0: is missing"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := tt.problem.Error(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
