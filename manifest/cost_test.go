package manifest

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/parser"
)

// measured is a tool like the one that peers were measured with: three parameters,
// and 390 bytes as OpenAI's JSON.
func measured(name string) Definition {
	return Definition{
		Name: name, Description: "Get the current weather and that of the days ahead.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"city":{"type":"string","description":"Name of the city"},` +
			`"unit":{"type":"string","enum":["celsius","fahrenheit"],"description":"Of temperatures"},` +
			`"days":{"type":"integer","description":"How many days"}},` +
			`"required":["city"]}`),
	}
}

// measuredBytes is the size of the tool as OpenAI's JSON in the peers' measure.
const measuredBytes = 390

func TestMeasuredTool(t *testing.T) {
	tools, err := newTools([]Definition{measured("get_weather")})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := openAIForm(tools[0], 1)
	if err != nil || len(raw) != measuredBytes {
		t.Errorf("the tool has %d bytes, want %d (%v)\n%s", len(raw), measuredBytes, err, raw)
	}
}

// markup is what a call, two calls and a result cost in a dialect.
func markup(t *testing.T, d *parser.Dialect) int {
	t.Helper()
	tools, err := newTools([]Definition{measured("get_weather")})
	if err != nil {
		t.Fatal(err)
	}
	c := composer{dialect: d, opts: &Options{}, tools: tools}
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
	results, err := c.results(wordings[len(wordings)-1].result)
	if err != nil {
		t.Fatal(err)
	}
	return len(one) + len(two) + len(results)
}

// bounds are what a manifest may cost in bytes, and for how much markup there is room
// beside the fewest words.
var bounds = []struct {
	compact              bool
	perTool, fixed, room int
}{
	{false, 450, maxFixed, 711},
	{true, 250, maxFixedCompact, 511},
}

// long are the dialects whose calls and results alone, of this many bytes, take more
// than there is room for: their manifests are larger by so much, and have the fewest
// words.
var long = map[bool]map[string]int{
	false: {"plamo3": 968},
	true: {
		"deepseek_v3": 599, "deepseek_v32": 640, "deepseek_v4": 595, "deepseek_v41": 593, "gigachat35": 589, "hy_v4": 677,
		"k2_horizon": 640, "kimi_k3": 629, "muse": 668, "plamo3": 968, "solar_open": 523, "step3": 711,
	},
}

// TestCost: a manifest costs no more than it should.
func TestCost(t *testing.T) {
	for _, b := range bounds {
		over := map[string]int{}
		for _, d := range parser.Dialects() {
			if d.Head.Form == "" || d.Name == "cwm" { // without calls, and without tools of three parameters
				continue
			}
			limit := b.fixed
			if n := markup(t, d); n > b.room {
				over[d.Name] = n
				limit += n - b.room
			}
			m, err := New([]Definition{measured("get_weather")}, Options{Dialect: d, Compact: b.compact})
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			if s := m.Stats(); s.Tools[0].Bytes >= b.perTool || s.Fixed.Bytes >= limit {
				t.Errorf("%s (compact %t): %d bytes a tool and %d fixed, want less than %d and %d",
					d.Name, b.compact, s.Tools[0].Bytes, s.Fixed.Bytes, b.perTool, limit)
			}
		}
		if diff := cmp.Diff(long[b.compact], over); diff != "" {
			t.Errorf("compact %t: dialects of long markup (-want +got):\n%s", b.compact, diff)
		}
	}
}
