package manifest

import (
	"encoding/json"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// measured is a tool like the one with which peers were measured: three parameters, and 390
// bytes as JSON of OpenAI.
func measured(name string) toolcall.ToolDefinition {
	return toolcall.ToolDefinition{
		Name: name, Description: "Get the current weather and that of the days ahead.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"city":{"type":"string","description":"Name of the city"},` +
			`"unit":{"type":"string","enum":["celsius","fahrenheit"],"description":"Of temperatures"},` +
			`"days":{"type":"integer","description":"How many days"}},` +
			`"required":["city"]}`),
	}
}

// measuredBytes is the size of the tool as OpenAI's JSON in the measurement of the peers.
const measuredBytes = 390

func TestMeasuredTool(t *testing.T) {
	tools, err := newTools([]toolcall.ToolDefinition{measured("get_weather")})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := formOf(&dialect.Show{Form: dialect.ToolOpenAI}, "", false)(tools[0], 1)
	if err != nil || len(raw) != measuredBytes {
		t.Errorf("the tool has %d bytes, want %d (%v)\n%s", len(raw), measuredBytes, err, raw)
	}
}

// markup returns the length of a call, two calls and a result in a dialect.
func markup(t *testing.T, d *dialect.Dialect) int {
	t.Helper()
	tools, err := newTools([]toolcall.ToolDefinition{measured("get_weather")})
	if err != nil {
		t.Fatal(err)
	}
	c := composerOf(t, d, tools, &Options{})
	if err := c.sample(); err != nil {
		t.Fatal(err)
	}
	one, err := c.write(c.single)
	if err != nil {
		t.Fatal(err)
	}
	two, err := c.write(c.double)
	if err != nil {
		t.Fatal(err)
	}
	results, err := toolset.Result(d, c.single[0].Name, resultShown)
	if err != nil {
		t.Fatal(err)
	}
	return len(one) + len(two) + len(results)
}

// TestCost limits the length of a manifest that teaches: for each tool, and for everything
// else. A dialect whose calls and results are longer than those of xml by their markup may use
// that much more.
func TestCost(t *testing.T) {
	xml, err := dialect.Named("xml", "")
	if err != nil {
		t.Fatal(err)
	}
	usual := markup(t, xml[0])
	for _, b := range []struct {
		compact        bool
		perTool, fixed int
	}{{false, 450, 900}, {true, 250, 700}} {
		for _, d := range dialect.All() {
			if d.Head.Form == "" || d.Name == "cwm" { // without calls, and without tools of three parameters
				continue
			}
			m, err := New([]toolcall.ToolDefinition{measured("get_weather")}, Options{Dialect: d, Style: teach(b.compact)})
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			s, most := m.Stats(), b.fixed+max(0, markup(t, d)-usual)
			if s.Tools[0].Bytes >= b.perTool || s.Fixed.Bytes >= most {
				t.Errorf("%s (compact %t): %d bytes a tool and %d fixed, want less than %d and %d",
					d.Name, b.compact, s.Tools[0].Bytes, s.Fixed.Bytes, b.perTool, most)
			}
		}
	}
}
