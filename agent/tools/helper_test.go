package tools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
)

// workspace is a temporary folder with its tools.
type workspace struct {
	testing.TB
	dir string
	set *tools.Set
}

// within makes a workspace with files.
func within(t testing.TB, files map[string]string) *workspace {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	set, err := tools.Workspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return &workspace{t, dir, set}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

type args = map[string]any

// use calls a tool. It fails the test if the tool does not return in time.
func (w *workspace) use(name string, in args) (agent.Result, error) {
	w.Helper()
	list, err := w.set.Tools(name)
	if err != nil {
		w.Fatal(err)
	}
	text, err := json.Marshal(in)
	if err != nil {
		w.Fatal(err)
	}
	type outcome struct {
		result agent.Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := list[0].Call(w.Context(), agent.Call{Name: name, Arguments: text})
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(time.Minute):
		w.Fatalf("%s(%s) hangs", name, text)
		return agent.Result{}, nil
	}
}

// good calls a tool that must succeed.
func (w *workspace) good(name string, in args) agent.Result {
	w.Helper()
	result, err := w.use(name, in)
	if err != nil {
		w.Fatalf("%s(%v): %v", name, in, err)
	}
	return result
}

// bad calls a tool that must fail with this category.
func (w *workspace) bad(name string, in args, want agent.Category) *agent.Error {
	w.Helper()
	result, err := w.use(name, in)
	if err == nil {
		w.Fatalf("%s(%v) did not fail: %+v", name, in, result)
	}
	e := agent.Categorize(err)
	if e.Category != want {
		w.Errorf("%s(%v): %s, want %s: %v", name, in, e.Category, want, err)
	}
	return e
}

// text returns the content of a file.
func (w *workspace) text(name string) string {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// meanwhile takes a step again and again until the caller calls stop, which waits for the
// last step.
func meanwhile(step func()) (stop func()) {
	stopping, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stopping:
				return
			default:
				step()
			}
		}
	}()
	return func() { close(stopping); <-stopped }
}
