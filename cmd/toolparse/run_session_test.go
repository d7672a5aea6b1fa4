package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
)

// One process at a time has a session.
func TestSessionIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	first, err := openSession(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openSession(path); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("%v", err)
	}
	first.close()
	second, err := openSession(path)
	if err != nil {
		t.Fatal(err)
	}
	second.close()
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock is left behind: %v", err)
	}
}

// What an answer holds does not decide how often its session is written.
func TestSessionWrites(t *testing.T) {
	writes := func(calls int, early bool) int {
		var answer strings.Builder
		for i := range calls {
			fmt.Fprintf(&answer, `Some words. <tool name="look"><arguments><arg name="n">%d</arg></arguments></tool>`+"\n", i)
		}
		p := provider.Replay(&provider.Recording{Answers: [][]byte{[]byte(answer.String()), []byte("Done.")}}, provider.Config{})
		look := agent.NewTool("look", "Looks.", func(context.Context, struct {
			N int `json:"n"`
		},
		) (string, error) {
			return "", nil
		})
		a, err := agent.New(agent.Config{Provider: p, Tools: []agent.Tool{look}, Early: early})
		if err != nil {
			t.Fatal(err)
		}
		file, err := openSession(filepath.Join(t.TempDir(), "s.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.close()
		n := 0
		for e := range a.Run(t.Context(), file.session, agent.Say("Go.")) {
			os.Remove(file.path)
			if err := file.keep(e); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(file.path); err == nil {
				n++
			}
		}
		return n
	}
	for _, early := range []bool{false, true} {
		if few, many := writes(15, early), writes(200, early); few == 0 || few != many {
			t.Errorf("early %t: %d writes with 15 calls, of which all run, %d with 200", early, few, many)
		}
	}
}
