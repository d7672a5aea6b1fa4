package near

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	among := []string{"read_file", "write_file", "edit_file", "run_bash", "file_path", "x", "json-openai"}
	tests := []struct {
		name string
		want []string
	}{
		{"read_file", []string{"read_file"}},
		{"raed_file", []string{"read_file"}},
		{"readFile", []string{"read_file"}},
		{"file", []string{"read_file", "edit_file"}},
		{"filePath", []string{"file_path"}},
		{"path", []string{"file_path"}},
		{"bash", []string{"run_bash"}},
		{"openai", []string{"json-openai"}},
		{"nope", nil}, // it is in json-openai, but no word of it
		{"y", nil},
		{"", nil},
		{"get_weather", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Names(tt.name, among, 2)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Names(%q) (-want +got):\n%s", tt.name, diff)
			}
		})
	}
}

func TestSlip(t *testing.T) {
	among := []string{"properties", "required", "type", "items", "$ref", "anyOf", "if", "enum"}
	for name, want := range map[string]string{
		"properites": "properties", "requierd": "required", "types": "type", "any_of": "anyOf", "ref": "",
		"enumNames": "", "x-order": "", "in": "", "": "", "description": "", "propertys": "properties", "item": "items",
	} {
		if got := Misspelling(name, among); got != want {
			t.Errorf("Slip(%q) = %q, want %q", name, got, want)
		}
	}
}
