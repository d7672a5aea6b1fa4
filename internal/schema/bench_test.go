package schema

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

// weather is a schema of the usual size, with the usual keywords.
const weather = `{"type":"object","properties":{
	"city":{"type":"string","description":"The city to ask the weather for","minLength":1,"pattern":"^[A-Za-z ]+$"},
	"days":{"type":"integer","description":"how many days","minimum":1,"maximum":14},
	"unit":{"type":"string","enum":["celsius","fahrenheit"]},
	"tags":{"type":"array","items":{"type":"string"}},
	"where":{"$ref":"#/$defs/place"}},
	"required":["city"],"additionalProperties":false,
	"$defs":{"place":{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}}}}}`

// BenchmarkCompileTools compiles lists of tools: the time for a tool must not grow with
// their number.
func BenchmarkCompileTools(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			defs := make([]toolcall.ToolDefinition, n)
			for i := range defs {
				defs[i] = toolcall.ToolDefinition{Name: fmt.Sprint("tool_", i), Parameters: json.RawMessage(weather)}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := CompileTools(defs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkValidate checks the arguments of one call.
func BenchmarkValidate(b *testing.B) {
	s := mustCompile(b, weather)
	doc := []byte(`{"city":"Oslo","days":3,"unit":"celsius","tags":["a","b"]}`)
	b.ReportAllocs()
	for b.Loop() {
		if problems, _ := s.Validate(doc); len(problems) != 0 {
			b.Fatal(problems)
		}
	}
}
