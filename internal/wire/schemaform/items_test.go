package schemaform

import (
	"encoding/json"
	"testing"
)

func TestWithItems(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		changes  int
	}{
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"items":{"anyOf":[{"type":"string"},{"type":"number"}]}}`, 1},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":{}}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{}}`, 0},
		{`{"properties":{"prefixItems":{"type":"string"}}}`, `{"properties":{"prefixItems":{"type":"string"}}}`, 0},
		{`{"default":{"prefixItems":[]}}`, `{"default":{"prefixItems":[]}}`, 0},
		{`{"properties":{"p":{"prefixItems":[{"prefixItems":[true]}]}}}`, `{"properties":{"p":{"prefixItems":[{"prefixItems":[true],"items":{"anyOf":[true]}}],"items":{"anyOf":[{"prefixItems":[true],"items":{"anyOf":[true]}}]}}}}`, 2},
		{`{"prefixItems":`, `{"prefixItems":`, 0},
	} {
		got, changes := WithItems(json.RawMessage(tt.in))
		if string(got) != tt.want || len(changes) != tt.changes {
			t.Errorf("%s: %s, %v", tt.in, got, changes)
		}
	}
}
