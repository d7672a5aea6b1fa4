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
		got, changes := WithItems(json.RawMessage(tt.in), false)
		if string(got) != tt.want || len(changes) != tt.changes {
			t.Errorf("%s: %s, %v", tt.in, got, changes)
		}
	}
}

// Lists without any items get some, unless the schema is from the wire itself.
func TestWithAllItems(t *testing.T) {
	const bare = `{"properties":{"a":{"type":["array","null"]},"b":{"type":"array","items":{}},"c":{"enum":["array"]}}}`
	const full = `{"properties":{"a":{"type":["array","null"],"items":{}},"b":{"type":"array","items":{}},"c":{"enum":["array"]}}}`
	if got, changes := WithItems(json.RawMessage(bare), true); string(got) != full || len(changes) > 0 {
		t.Errorf("%s, %v", got, changes)
	}
	if got, _ := WithItems(json.RawMessage(bare), false); string(got) != bare {
		t.Errorf("%s", got)
	}
}
