package tools_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/agent/tools"
)

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// A long file is shown in the sections that a curator picks, which is called once for the
// same file and conversation.
func TestCurator(t *testing.T) {
	w := within(t, map[string]string{"short": numbered(99), "long": numbered(300)})
	var asked []string
	pick := []tools.Section{{First: 3, Last: 4}, {First: 4, Last: 5}, {First: 299, Last: 1000}}
	var fails error
	w.set.Curator = func(_ context.Context, call agent.Call, path, text string) ([]tools.Section, error) {
		asked = append(asked, fmt.Sprintf("%s of %d bytes in %d messages", path, len(text), len(call.Messages)))
		return pick, fails
	}
	const want = "[lines 1 to 2 are left out; start_line and end_line read them]\n3: line 3\n4: line 4\n5: line 5\n" +
		"[lines 6 to 298 are left out; start_line and end_line read them]\n299: line 299\n300: line 300\n"
	read := func(in args) string { return w.good("read_file", in).Output }
	if got := read(args{"path": "short"}); !strings.HasSuffix(got, "99: line 99\n") || len(asked) > 0 {
		t.Errorf("a short file was curated: %v\n%s", asked, got)
	}
	for range 2 {
		if got := read(args{"path": "long"}); got != want || len(asked) != 1 {
			t.Errorf("%v\n%s", asked, got)
		}
	}
	if got := read(args{"path": "long", "start_line": 10, "end_line": 10}); got != "10: line 10\n" || len(asked) != 1 {
		t.Errorf("%v\n%s", asked, got)
	}
	put(t, filepath.Join(w.dir, "long"), "x"+numbered(300))
	if read(args{"path": "long"}); len(asked) != 2 {
		t.Errorf("after a change: %v", asked)
	}
	put(t, filepath.Join(w.dir, "long"), "y"+numbered(300))
	fails = errors.New("no model")
	if got := read(args{"path": "long"}); !strings.HasPrefix(got, "1: yline 1\n2: line 2\n") {
		t.Errorf("without the curator:\n%s", got)
	}
}

// The curator gets the conversation, and is called again when it has grown.
func TestCuratorInRun(t *testing.T) {
	w := within(t, map[string]string{"long": numbered(300)})
	var asked []int
	w.set.Curator = func(_ context.Context, call agent.Call, _, _ string) ([]tools.Section, error) {
		asked = append(asked, len(call.Messages))
		return []tools.Section{{First: 1, Last: 1}}, nil
	}
	list, err := w.set.Tools("read_file")
	if err != nil {
		t.Fatal(err)
	}
	call := []byte(`<tool name="read_file"><arguments><arg name="path">long</arg></arguments></tool>`)
	p := provider.Replay(&provider.Recording{Answers: [][]byte{call, call, []byte("Done.")}}, provider.Config{})
	rules := agent.Rules{Approve: "all"}
	a, err := agent.New(agent.Config{Provider: p, Tools: list, Policy: rules.Policy()})
	if err != nil {
		t.Fatal(err)
	}
	for range a.Run(t.Context(), agent.NewSession(), agent.Say("Read it.")) {
	}
	if fmt.Sprint(asked) != "[1 3]" {
		t.Errorf("asked with %v messages", asked)
	}
}
