package unknown

import "testing"

func TestMembers(t *testing.T) {
	var m Members
	if !m.Add("a", "1") || m.Add("a", "2") || !m.Replace("b\"", "[\n2\r\n]") || !m.Replace("a", `"x"`) || !m.Has("a") || m.Has("c") {
		t.Errorf("%v", m)
	}
	for before, want := range map[string]string{"{": `{"a":"x","b\"":[ 2  ]`, `{"z":{}`: `{"z":{},"a":"x","b\"":[ 2  ]`} {
		if got := string(m.AppendTo([]byte(before))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	m = nil
	m.Add("a", "0")
	for i := range maxMembers {
		m.Add(string(rune('d'+i)), "0")
	}
	if len(m) != maxMembers || m.Replace("late", "0") || !m.Replace("a", "1") {
		t.Errorf("%d members", len(m))
	}
}
