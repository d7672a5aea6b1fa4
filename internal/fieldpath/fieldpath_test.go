package fieldpath

import (
	"testing"

	"github.com/toolparse/toolparse/internal/jsonindex"
)

func TestText(t *testing.T) {
	tests := []struct{ record, want string }{
		{`{"a":{"b":"x\n\u00e9\"y"}}`, "x\né\"y"},
		{`{"a":{"b":"\ud83d\ude00"}}`, "😀"},
		{`{"a":{"b":"\ud800\u0041"}}`, "\ufffdA"}, // what follows half of a pair stays
		{`{"a":{"b":1,"b":"last"}}`, "last"},
	}
	for _, tt := range tests {
		var ix jsonindex.Index
		record, err := Read([]byte(tt.record), &ix)
		if err != nil {
			t.Fatal(err)
		}
		if got := record.Member("a").Member("b"); got.Text() != tt.want || got.Path != "a.b" {
			t.Errorf("%s: %q at %s", tt.record, got.Text(), got.Path)
		}
	}
}

func TestFind(t *testing.T) {
	record := []byte(`{"list":[{"t":"\ud800\u0041"},{"t":"b"}],"n":1.5,"z":null,"o":{"k":[true]}}`)
	tests := []struct {
		path, json string
		kind       jsonindex.Kind
	}{
		{"list.0.t", `"\ud800\u0041"`, jsonindex.String},
		{"list.#.t", `["\ud800\u0041","b"]`, jsonindex.Array},
		{"list.#", "2", jsonindex.Number},
		{"n", "1.5", jsonindex.Number},
		{"z", "null", jsonindex.Null},
		{"o", `{"k":[true]}`, jsonindex.Object},
	}
	for _, tt := range tests {
		got, err := Find(record, tt.path)
		if err != nil || got.Kind != tt.kind || got.Path != tt.path || tt.path != "list.#" && string(got.AppendJSON(nil)) != tt.json {
			t.Errorf("%s: %s %s, %v", tt.path, got.Kind, got.AppendJSON(nil), err)
		}
	}
	if _, err := Find(record, "none"); err == nil {
		t.Error("found what is not there")
	}
}
