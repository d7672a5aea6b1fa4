//go:build unix

package tools_test

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
)

// gone waits until no process has this id.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// pidIn returns the number after a word in a text.
func pidIn(t *testing.T, word, text string) int {
	t.Helper()
	found := regexp.MustCompile(word + `[ =](\d+)`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %q", word, text)
	}
	pid, _ := strconv.Atoi(found[1])
	return pid
}

// A process runs in the background, is read in portions, and is ended with its children.
func TestProcess(t *testing.T) {
	w := within(t, map[string]string{"sub/a": ""})
	started := w.good("spawn_process", args{"command": "sleep 100 & echo child=$! $X; ls; wait", "working_directory": "sub", "env": args{"X": "yes"}})
	pid := pidIn(t, "pid", started.Output)
	if diff := cmp.Diff([]agent.StateChange{{Type: "ProcessStarted", PID: pid, Command: "sleep 100 & echo child=$! $X; ls; wait"}}, started.Changes); diff != "" {
		t.Error(diff)
	}
	var output string
	for range 50 {
		r := w.good("wait_process", args{"process": "p1", "timeout_seconds": 0})
		if output += r.Output; r.Metadata["running"] != true {
			t.Fatalf("%+v", r)
		}
		if strings.Contains(output, "a\n") && strings.Contains(output, "yes") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	child := pidIn(t, "child", output)
	if list := w.good("list_processes", nil); !strings.Contains(list.Output, `"id":"p1","pid":`+strconv.Itoa(pid)) || !strings.Contains(list.Output, `"running":true`) {
		t.Errorf("%+v", list)
	}
	killed := w.good("kill_process", args{"process": strconv.Itoa(pid)})
	if len(killed.Changes) != 1 || killed.Changes[0].Type != "ProcessTerminated" || killed.Changes[0].PID != pid || killed.Output != "p1 was ended by a signal" {
		t.Errorf("%+v", killed)
	}
	gone(t, pid)
	gone(t, child)
	if again := w.good("kill_process", args{"process": "p1"}); len(again.Changes) > 0 {
		t.Errorf("its end was told twice: %+v", again)
	}
	// Processes outside the set cannot be touched.
	w.bad("kill_process", args{"process": strconv.Itoa(syscall.Getppid())}, agent.NotFound)
	w.bad("wait_process", args{"process": "p2"}, agent.NotFound)
	w.bad("spawn_process", args{"command": "true", "working_directory": "../.."}, agent.Permission)
	w.bad("spawn_process", args{"command": "true", "env": args{"A=B": "x"}}, agent.Validation)
}

// The output of a process is limited, and is read in portions.
func TestProcessOutput(t *testing.T) {
	w := within(t, nil)
	w.good("spawn_process", args{"command": "head -c 5000000 /dev/zero | tr '\\0' x; echo the end; exit 3"})
	var all strings.Builder
	for i := range 100 {
		r := w.good("wait_process", args{"process": "p1"})
		if len(r.Output) > 34<<10 {
			t.Fatalf("a portion of %d bytes", len(r.Output))
		}
		all.WriteString(r.Output)
		if i == 0 && (len(r.Changes) != 1 || *r.Changes[0].ExitCode != 3 || !strings.Contains(r.Output, "bytes before this are gone")) {
			t.Errorf("%+v", r.Changes)
		}
		if strings.Contains(r.Output, "the end") {
			break
		}
	}
	if n := all.Len(); !strings.HasSuffix(all.String(), "the end\n[p1 has ended with exit code 3]") || n < 200<<10 || n > 600<<10 {
		t.Errorf("%d bytes, at the end %q", n, all.String()[max(0, n-100):])
	}
}

// All processes end with the set, even those that ignore the first signal; and only a
// limited number can run.
func TestProcessShutdown(t *testing.T) {
	w := within(t, nil)
	var pids []int
	for range 16 {
		pids = append(pids, pidIn(t, "pid", w.good("spawn_process", args{"command": "trap '' TERM; sleep 100; sleep 100"}).Output))
	}
	w.bad("spawn_process", args{"command": "true"}, agent.Resource)
	if r := w.good("kill_process", args{"process": "p1", "signal": "hup"}); r.Output == "" {
		t.Errorf("%+v", r)
	}
	if err := w.set.Close(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		gone(t, pid)
	}
	if _, err := w.use("spawn_process", args{"command": "true"}); err == nil {
		t.Error("a closed workspace starts processes")
	}
}

// bash runs in the given folder with the given variables, and what it leaves running ends
// with it.
func TestBashGroup(t *testing.T) {
	w := within(t, map[string]string{"sub/a": "", "old": "x", "gone": ""})
	r := w.good("bash", args{"command": "sleep 100 & echo child=$!; pwd; echo $X$HOME; touch b; rm ../gone; echo more >> ../old", "working_directory": "sub", "env": args{"X": "yes"}})
	gone(t, pidIn(t, "child", r.Output))
	if !strings.Contains(r.Output, "/sub\nyes/") || *r.ExitCode != 0 {
		t.Errorf("%+v", r)
	}
	want := []agent.StateChange{
		{Type: "FileDeleted", Path: "gone"}, {Type: "FileModified", Path: "old"}, {Type: "FileCreated", Path: "sub/b"},
	}
	if diff := cmp.Diff(want, r.Changes); diff != "" {
		t.Error(diff)
	}
	r, err := w.use("bash", args{"command": "sleep 100 & echo child=$!; wait", "timeout_seconds": 1})
	e := agent.Categorize(err)
	gone(t, pidIn(t, "child", r.Output))
	if e.Code != "TIMEOUT" || !strings.Contains(e.Details["partial_output"].(string), "child=") {
		t.Errorf("%+v", e)
	}
	w.bad("bash", args{"command": "true", "working_directory": ".."}, agent.Permission)
	w.bad("bash", args{"command": "true", "working_directory": "nowhere"}, agent.NotFound)
	w.bad("bash", args{"command": "true", "working_directory": "old"}, agent.Validation)
}

// The beginning and the end of a long output are kept.
func TestBashOutput(t *testing.T) {
	w := within(t, nil)
	r := w.good("bash", args{"command": "echo first; head -c 9000000 /dev/zero | tr '\\0' x; echo; echo last"})
	if len(r.Output) > 1<<20+100 || !strings.HasPrefix(r.Output, "first\n") || !strings.HasSuffix(r.Output, "last\n") || !strings.Contains(r.Output, "bytes are left out") {
		t.Errorf("%d bytes", len(r.Output))
	}
	if r.Metadata["output_truncated"] != true || r.Metadata["total_output_bytes"] != int64(9000012) {
		t.Errorf("%+v", r.Metadata)
	}
}
