package mcp

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// Names are not changed without need.
func TestNames(t *testing.T) {
	n := newNames()
	for _, test := range []struct{ server, tool, want string }{
		{"fs", "read_file", "fs__read_file"},
		{"fs", "read.file", "fs__read_file_"}, // the suffix distinguishes it from read_file
		{"my server", "get-time", "my_server__get-time"},
		{"a", "b__c", "a__b__c"},
		{"a__b", "c", "a__b_c_"},
	} {
		got := n.of(toolKey{test.server, test.tool})
		if len(got) < len(test.want) || got[:len(test.want)] != test.want || test.want[len(test.want)-1] != '_' && got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.tool, test.server, got, test.want)
		}
	}
}

// Names are legal for every provider, unique, and permanent.
func TestNamesAreLegal(t *testing.T) {
	legalName := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	rapid.Check(t, func(t *rapid.T) {
		n := newNames()
		keys := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) toolKey {
			part := rapid.OneOf(rapid.StringMatching(`[ab_.]{1,4}`), rapid.String(), rapid.StringMatching(`[a-z]{70}`))
			return toolKey{part.Draw(t, "server"), part.Draw(t, "tool")}
		}), 1, 20).Draw(t, "tools")
		owners := map[string]toolKey{}
		for _, key := range append(keys, keys...) {
			name := n.of(key)
			if owner, taken := owners[name]; taken && owner != key || !legalName.MatchString(name) {
				t.Fatalf("%q is called %q, as is %q", key, name, owner)
			}
			owners[name] = key
		}
	})
}
