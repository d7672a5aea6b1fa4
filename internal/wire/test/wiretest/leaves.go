package wiretest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/frame"
)

// Leaves counts the leaves of the JSON values in a stream's events, each by its path and its
// value, such as `choices[].index 0`. It ignores nulls.
func Leaves(t testing.TB, framing frame.Framing, body []byte) map[string]int {
	t.Helper()
	leaves := map[string]int{}
	add := func(e frame.Event) {
		if len(e.Data) == 0 || e.IsDone() {
			return
		}
		dec := json.NewDecoder(strings.NewReader(string(e.Data)))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("event %d: %v", e.Number, err)
		}
		addLeaves(leaves, "", v)
	}
	split := frame.New(framing, 0)
	for {
		e, n, ok, err := split.Next(body)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		add(e)
		body = body[n:]
	}
	if e, ok := split.End(); ok {
		add(e)
	}
	return leaves
}

func addLeaves(leaves map[string]int, path string, v any) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		if len(v) == 0 {
			leaves[path+" {}"]++
		}
		for key, member := range v {
			addLeaves(leaves, strings.TrimPrefix(path+"."+key, "."), member)
		}
	case []any:
		if len(v) == 0 {
			leaves[path+" []"]++
		}
		for _, item := range v {
			addLeaves(leaves, path+"[]", item)
		}
	default:
		text, _ := json.Marshal(v)
		leaves[path+" "+string(text)]++
	}
}

// Missing lists the leaves that one stream has more of than another, except those whose path
// remade accepts, because encoders make them anew.
func Missing(in, out map[string]int, remade func(path string) bool) []string {
	var missing []string
	for leaf, n := range in {
		path, _, _ := strings.Cut(leaf, " ")
		if out[leaf] < n && !remade(path) {
			missing = append(missing, leaf)
		}
	}
	slices.Sort(missing)
	return missing
}
