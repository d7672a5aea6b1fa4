package toolset

import (
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
)

func TestResultID(t *testing.T) {
	plain, indexed := dialect.Head{}, dialect.Head{Prefix: "functions.", Index: ":"}
	for _, test := range []struct {
		name  string
		head  *dialect.Head
		id    string
		place int
		want  string
	}{
		{"its own", &plain, "c1", 2, "c1"},
		{"none", &plain, "", 2, "2"},
		{"an index", &indexed, "functions.t:7", 2, "functions.t:7"},
		{"no index", &indexed, "", 2, "functions.t:2"},
		{"of another shape", &indexed, "c1", 2, "functions.t:2"},
		{"of another tool", &indexed, "functions.u:7", 2, "functions.t:2"},
		{"without digits", &indexed, "functions.t:", 2, "functions.t:2"},
		{"no number", &indexed, "functions.t:x", 2, "functions.t:2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ResultID(test.head, "t", test.id, test.place); got != test.want {
				t.Errorf("%q, not %q", got, test.want)
			}
		})
	}
}
