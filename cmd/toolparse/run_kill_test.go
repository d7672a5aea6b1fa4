package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
)

// A process that is killed at any moment, as by kill -9, leaves a session that the next
// process continues: no call runs twice, and calls with a result keep it.
func TestRunKilled(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the recording calls sh")
	}
	step, most := 15*time.Millisecond, 300*time.Millisecond
	if testing.Short() {
		step, most = 70*time.Millisecond, 140*time.Millisecond
	}
	recording := t.TempDir()
	for name, text := range map[string]string{
		"prompt.txt": "Count.",
		"1.txt":      bashCall("echo 1 >>log") + bashCall("sleep 0.02; echo 2 >>log"),
		"2.txt":      bashCall("echo 3 >>log; sleep 0.02") + `<tool_call>{"name": "list_files", "arguments": {}}</tool_call>`,
		"3.txt":      "Counted.",
	} {
		if err := os.WriteFile(filepath.Join(recording, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	killed := 0
	for _, early := range []bool{false, true} {
		for after := step; after <= most && !t.Failed(); after += step {
			killed += runKilled(t, recording, t.TempDir(), after, early)
		}
	}
	if killed == 0 {
		t.Error("every process ended before it was killed")
	}
}

func bashCall(command string) string {
	return fmt.Sprintf("<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": %q}}</tool_call>\n", command)
}

// runKilled runs a recording, kills each process some time after its start, later from one to
// the next, until one ends by itself. It returns how many were killed.
func runKilled(t *testing.T, recording, dir string, after time.Duration, early bool) (killed int) {
	t.Helper()
	session, work := filepath.Join(dir, "session.json"), filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"run", "--provider", "replay", "-d", "hermes", "--approve", "all", "--session", session, "--workspace", work, fmt.Sprintf("--early=%t", early), recording,
	}
	done := map[string]int{}                      // results that a session had, by the command
	for wait := after; ; wait += after + wait/8 { // on a slow machine, too, soon long enough
		var said strings.Builder
		cmd := exec.Command("toolparse", args...)
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, time.Second
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(wait, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		s := readSession(t, session)
		log, logErr := os.ReadFile(filepath.Join(work, "log"))
		if logErr != nil && !errors.Is(logErr, os.ErrNotExist) {
			t.Fatal(logErr)
		}
		for _, n := range []string{"1", "2", "3"} {
			if ran := strings.Count(string(log), n); ran > 1 {
				t.Errorf("killed after %v: %s ran %d times", wait, n, ran)
			}
		}
		for id, text := range resultsOf(s) {
			if before, had := done[id]; had && before != len(text) {
				t.Errorf("killed after %v: the result of %s is now %q", wait, id, text)
			}
			done[id] = len(text)
		}
		if exit, isExit := errors.AsType[*exec.ExitError](err); isExit && exit.ExitCode() < 0 {
			killed++
			continue
		}
		switch {
		case err == nil && (len(done) == 4 || early): // an answer that was cut has fewer calls
			return killed
		case killed > 0 && strings.Contains(said.String(), "has ended; remove it to play the recording again"): // it was killed with its answer saved
			return killed
		case early && strings.Contains(said.String(), "the process ended while it was written"):
			continue
		}
		t.Errorf("after %v: %v with %d results\n%s", wait, err, len(done), said.String())
		return killed
	}
}

func readSession(t *testing.T, path string) *agent.Session {
	t.Helper()
	s := &agent.Session{}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return s
	}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil {
		t.Fatalf("the session cannot be read: %v", err)
	}
	return s
}

// resultsOf are the results that a session holds, by the ids of their calls.
func resultsOf(s *agent.Session) map[string]string {
	results := map[string]string{}
	for _, m := range s.Messages {
		for _, p := range m.Parts {
			if p.Kind == chat.PartResult {
				results[p.Result.CallID] = p.Result.Parts[0].Text
			}
		}
	}
	return results
}
