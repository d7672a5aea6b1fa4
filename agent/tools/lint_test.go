package tools_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// A project is checked by the programs for its language, and a finding is an error.
func TestLint(t *testing.T) {
	if _, err := exec.LookPath("gofmt"); err != nil {
		t.Skip("go is not installed")
	}
	t.Setenv("GOFLAGS", "")
	w := within(t, map[string]string{
		"good/go.mod": "module example.com/p\n\ngo 1.21\n", "good/p.go": "package p\n\nvar X = 1\n",
		"bad/go.mod": "module example.com/p\n\ngo 1.21\n", "bad/p.go": "package p\nimport \"fmt\"\nfunc F() { fmt.Printf(\"%d\", \"x\") ; }\n",
		"worse/go.mod": "module example.com/p\n\ngo 1.21\n", "worse/p.go": "package p\n\nvar X int = \"x\"\n",
	})
	before := contents(t, w.dir)
	for name, says := range map[string]string{"lint": "go has found no problems", "typecheck": "go has found no problems", "format": "gofmt has found no problems"} {
		if r := w.good(name, args{"path": "good"}); r.Output != says {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, test := range [][3]string{{"lint", "bad", "p.go:3"}, {"format", "bad", "p.go"}, {"typecheck", "worse", "p.go:3"}} {
		r, err := w.use(test[0], args{"path": test[1]})
		if err == nil || agent.Categorize(err).Category != agent.Execution || !strings.Contains(r.Output, test[2]) {
			t.Errorf("%v: %+v, %v", test, r, err)
		}
	}
	if after := contents(t, w.dir); len(after) != len(before) || after["bad/p.go"] != before["bad/p.go"] {
		t.Error("a check has changed files")
	}
	w.bad("lint", nil, agent.NotFound)
	w.bad("lint", args{"path": ".."}, agent.Permission)
	t.Setenv("PATH", t.TempDir())
	w.bad("lint", args{"path": "good"}, agent.Resource)
}
