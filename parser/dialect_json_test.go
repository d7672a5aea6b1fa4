package parser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestReadDialectBack: every built-in dialect is what it was after it has been
// printed and read.
func TestReadDialectBack(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			data, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ReadDialect(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d, got, cmpopts.IgnoreUnexported(Dialect{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadDialectErrors(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{``, "ends at byte 0"},
		{`[]`, "must be an object"},
		{`{"name":"x"`, "in the middle"},
		{`{"name":1}`, "name cannot be a number"},
		{`{"name":"x","frame":{"call":"<c>"}}`, "frame.call cannot be a string"},
		{`{"name":"x","heads":{}}`, `no field "heads"`},
		{`{"name":"x"} {}`, "something follows"},
		{`{"name":""}`, "name is empty"},
		{`{"name":"X"}`, "lower case"},
		{`{"name":"x","aliases":["y","json"]}`, "aliases[1]"},
		{`{"name":"x","head":{"form":"odd"},"args":{"form":"json"}}`, `head.form "odd" is unknown`},
		{`{"name":"x","frame":{"call":{"open":"<c>","close":"</c>"}},"head":{"form":"literal"},"args":{"form":"pairs"}}`, "args.key_mark.open"},
		{`{"name":"x","frame":{"call":{"open":"<c>"}},"head":{"form":"envelope","name":["n"]},"args":{"form":"json"}}`, "args.keys"},
		{`{"name":"x","noise":[""]}`, "noise[0]"},
		{`{"name":"x","written":{"prompt":"<assistant>"}}`, "written.prompt is not what a call begins with"},
		{`{"name":"x","written":{"heads":["to={name}"]}}`, "written.heads[0] needs"},
		{`{"name":"x","show":{"form":"odd"}}`, `show.form "odd" is unknown`},
		{`{"name":"x","show":{"tools":{"open":"<tools>","close":"</tools>"}}}`, `show.form "" is unknown`},
		{`{"name":"x","show":{"form":"lines","tool":{"open":"tool: {about}","close":""},"param":"{name}"}}`, "show.tool does not say the {name}"},
		{`{"name":"x","show":{"form":"lines","tool":{"open":"{name}","close":""}}}`, "show.param must say the {name}"},
		{`{"name":"x","show":{"form":"plain","param":"{name}"}}`, "show.param is for"},
	} {
		_, err := ReadDialect([]byte(test.in))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.in, err, test.want)
		}
	}
}
