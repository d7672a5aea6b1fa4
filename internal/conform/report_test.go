package conform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	long := strings.Repeat("é", 200)
	tests := []struct {
		name string
		r    Result
		want string
	}{
		{"no mismatch", Result{ID: "a", Tier: "core", Why: "unknown dialect \"x\"", Input: "in\n"},
			"FAIL a (core): unknown dialect \"x\"\n  input   \"in\\n\"\n"},
		{"two", Result{ID: "a", Tier: "core", Cut: "cut at byte 7", Input: "in", Mismatches: []Mismatch{
			{"text", `"ab"`, `"ax"`}, {"call 1 (f): arguments", `{"é":1}`, "{\"é\":2\n}"}}},
			`FAIL a (core), cut at byte 7
  text
    want  "ab"
    got   "ax"
            ^
  call 1 (f): arguments
    want  {"é":1}
    got   {"é":2\n}
               ^
  input   "in"
`},
		{"long", Result{ID: "a", Tier: "core", Cut: "whole", Mismatches: []Mismatch{{"text", long + "b", long + "c" + long}}},
			`FAIL a (core), whole
  text
    want  …` + strings.Repeat("é", 39) + `b
    got   …` + strings.Repeat("é", 39) + `c` + strings.Repeat("é", 98) + `…
          ` + strings.Repeat(" ", 40) + `^
  input   ""
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.r.Diff()); diff != "" {
				t.Errorf("diff (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTable(t *testing.T) {
	var table Table
	for _, r := range []Result{
		{Dialect: "xml", Tier: "core", Pass: true, Sampled: true}, {Dialect: "xml", Tier: "core"},
		{Dialect: "json", Tier: "policy", Pass: true}, {Dialect: "xml", Tier: "extra", Pass: true},
	} {
		table.Add(r)
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = `DIALECT  CORE  POLICY  EXTRA
json     -     1/1     -
xml      1/2   -       1/1
all      1/2   1/1     1/1
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if table.Passed != 3 || table.Failed != 1 || table.Sampled != 1 {
		t.Errorf("got %d passed, %d failed, %d sampled; want 3, 1, 1", table.Passed, table.Failed, table.Sampled)
	}
}
