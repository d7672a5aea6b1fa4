package fuzz

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/toolcall"
)

// probe is an input that an earlier implementation of the founding design got
// wrong in at least one split, with the result wanted in all of them.
type probe struct {
	id      string
	dialect string
	input   string
	text    string
	calls   []probeCall
	// free: what is not wanted in particular. A call that is free must still
	// not run.
	freeText, freeCalls bool
}

type probeCall struct{ name, args string }

const (
	fileHead = `<tool name="write_file"><arguments><arg name="path">/a</arg>`
	toolTail = `</arguments></tool>`
)

var probes = []probe{
	{id: "C1", dialect: "xml", input: `if a < b then <tool name="t"><arguments><arg name="p">1</arg></arguments></tool> end`,
		calls: []probeCall{{"t", `{"p":"1"}`}}, text: "if a < b then  end"},
	{id: "C2", dialect: "sentinel", input: `[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]] tail`,
		calls: []probeCall{{"run_bash", `{"command":"ls"}`}}, text: " tail"},
	{id: "C3", dialect: "sentinel", input: `[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]] tail`, // its fault showed between the closing brackets
		calls: []probeCall{{"run_bash", `{"command":"ls"}`}}, text: " tail"},
	{id: "C4", dialect: "xml", input: fileHead + "<arg name=\"content\">__START_CONTENT__\nx\n__END_CONTENT__</arg>" + toolTail,
		calls: []probeCall{{"write_file", `{"path":"/a","content":"x\n"}`}}},
	{id: "C5", dialect: "xml", input: `<tool name="write_file"><arguments><arg name="content">data</arg><arg name="path">/a</arg></arguments></tool>TAIL`,
		calls: []probeCall{{"write_file", `{"path":"/a","content":"data"}`}}, text: "TAIL"},
	{id: "C6", dialect: "xml", input: `<tool name="run_bash"><arguments><arg name="command">npm run dev</arg><arg name="background">true</arg></arguments></tool>TAIL`,
		calls: []probeCall{{"run_bash", `{"command":"npm run dev","background":true}`}}, text: "TAIL"},
	{id: "C7", dialect: "xml", input: fileHead + `<arg name="content">AAA</arg>` + toolTail + "mid" +
		`<tool name="write_file"><arguments><arg name="path">/b</arg><arg name="content">__START_CONTENT__BBB__END_CONTENT__</arg>` + toolTail + "end",
		calls: []probeCall{{"write_file", `{"path":"/a","content":"AAA"}`}, {"write_file", `{"path":"/b","content":"BBB"}`}}, text: "midend"},
	{id: "C8", dialect: "xml", input: fileHead + "<arg name=\"content\">__START_CONTENT__\nexample: </arg></arguments> inside\nlast\n__END_CONTENT__</arg>" + toolTail + "end",
		calls: []probeCall{{"write_file", `{"path":"/a","content":"example: </arg></arguments> inside\nlast\n"}`}}, text: "end"},
	{id: "C9", dialect: "xml", input: fileHead + toolTail + `TRAILING TEXT <tool name="u"></tool>`, freeCalls: true, text: "TRAILING TEXT "},
	{id: "C10", dialect: "xml", input: "<run_bash>echo İ</run_bash> tail",
		calls: []probeCall{{"run_bash", `{"command":"echo İ"}`}}, text: " tail"},
	{id: "J1a", dialect: "json-gemini", input: `{"name":"sh","args":{"cmd":"echo \"}\" done"}} after`,
		calls: []probeCall{{"sh", `{"cmd":"echo \"}\" done"}`}}, text: " after"},
	{id: "J1b", dialect: "json-gemini", input: `{"name":"sh","args":{"cmd":"say \"hi"}} after text {"name":"b","args":{}}`,
		calls: []probeCall{{"sh", `{"cmd":"say \"hi"}`}, {"b", `{}`}}, text: " after text "},
	{id: "J2", dialect: "json-openai", input: `{"tool_calls":[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b","arguments":{"x":1}}}]}`,
		calls: []probeCall{{"a", `{}`}, {"b", `{"x":1}`}}},
	{id: "J3", dialect: "json-openai", input: `x {"tool": "hammer"} y`, text: `x {"tool": "hammer"} y`},
	{id: "J4", dialect: "json-default", input: `{"function":"f","parameters":{"a":1}}`, calls: []probeCall{{"f", `{"a":1}`}}},
	{id: "J5", dialect: "json-gemini", input: `use {{"name":"a","args":{}}}`, calls: []probeCall{{"a", `{}`}}, text: "use {}"},
	{id: "J8", dialect: "json-gemini", input: `hi {"name":`, text: `hi {"name":`},
	{id: "X1a", dialect: "xml", input: `<tool name="t"><arguments><arg name="deps"><item>a</item><item>b</item></arg></arguments></tool>`,
		calls: []probeCall{{"t", `{"deps":["a","b"]}`}}},
	{id: "X1b", dialect: "xml", input: `<tool name="t"><arguments><arg name="o"><arg name="k1">v1</arg><arg name="k2">v2</arg></arg></arguments></tool>`,
		calls: []probeCall{{"t", `{"o":{"k1":"v1","k2":"v2"}}`}}},
	{id: "X1c", dialect: "xml", input: `<tool name="t"><arguments><arg name="xs"><item><arg name="a">1</arg></item><item><arg name="a">2</arg></item></arg></arguments></tool>`,
		calls: []probeCall{{"t", `{"xs":[{"a":"1"},{"a":"2"}]}`}}},
	{id: "X2", dialect: "xml", input: `<tool name="t"><arguments><arg name="q">a &lt; b &amp;&amp; c</arg></arguments></tool>`,
		calls: []probeCall{{"t", `{"q":"a < b && c"}`}}},
	{id: "X3", dialect: "xml", input: `<tool name="t"><arguments><arg name="expr">i <n; i++</arg></arguments></tool>`,
		calls: []probeCall{{"t", `{"expr":"i <n; i++"}`}}},
	{id: "X4", dialect: "xml", input: `<toolbox name="x">hi</toolbox> rest <tool name="y"></tool>`,
		calls: []probeCall{{"y", `{}`}}, text: `<toolbox name="x">hi</toolbox> rest `},
	{id: "X5", dialect: "xml", input: `go <tool name="t"/> then <tool name="u"></tool>`,
		calls: []probeCall{{"t", `{}`}, {"u", `{}`}}, text: "go  then "},
	{id: "S1", dialect: "sentinel", input: `[[SEG_START {"type":"tool","tool_name":"m","arguments":{"m":[[1,2],[3,4]]}}]][[SEG_END]] tail`,
		calls: []probeCall{{"m", `{"m":[[1,2],[3,4]]}`}}, text: " tail"},
	{id: "E1", dialect: "xml", input: "<run_bash>rm -rf /tmp/bui", freeText: true},
}

// TestProbes runs every probe whole, byte by byte and at every two-way split.
func TestProbes(t *testing.T) {
	for _, p := range probes {
		t.Run(p.id, func(t *testing.T) {
			opts, err := optionsFor(p.dialect)
			if err != nil {
				t.Fatal(err)
			}
			check := func(chunks ...string) error {
				r, err := record(opts, chunks)
				if err != nil {
					return err
				}
				if err := checkText(r); err != nil {
					return err
				}
				return p.check(r)
			}
			if err := check(p.input); err != nil {
				t.Fatal(err)
			}
			checkEverywhere(t, p.input, check)
		})
	}
}

func (p probe) check(r recording) error {
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	if got := joined(segs, toolcall.SegmentText); !p.freeText && got != p.text {
		return diffError{"text", cmp.Diff(p.text, got)}
	}
	if p.freeCalls {
		return nil
	}
	var got []probeCall
	for _, c := range calls(segs) {
		if c.Status == toolcall.Complete {
			got = append(got, probeCall{c.Name, c.args})
		}
	}
	same := cmp.Comparer(func(a, b probeCall) bool {
		return a.name == b.name && cmp.Equal(decode(a.args), decode(b.args))
	})
	if diff := cmp.Diff(p.calls, got, same); diff != "" {
		return diffError{"calls", diff}
	}
	return nil
}

// diffError says in what respect something differs from what was wanted.
type diffError struct{ what, diff string }

func (e diffError) Error() string {
	return e.what + " (-want +got):\n" + strings.TrimSpace(e.diff)
}
