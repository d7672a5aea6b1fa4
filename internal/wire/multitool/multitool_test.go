package multitool

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

func piece(index int, id, name, text string) D {
	return D{Kind: toolcall.DeltaToolCall, Index: index, ID: id, Name: name, Text: text}
}

func whole(id, name, text string) D {
	d := piece(toolcall.NoIndex, id, name, text)
	d.Whole, d.Done = true, true
	return d
}

func done(d D) D { d.Done = true; return d }

func wholeText(d D) D { d.Whole = true; return d }

const two = `{"tool_uses":[{"recipient_name":"functions.a","parameters":{"n":1.50}}, {"recipient_name":"b"}]}`

func TestUnpacker(t *testing.T) {
	const name = "multi_tool_use.parallel"
	tests := []struct {
		name string
		in   []D
		want []D
	}{
		{"others pass", []D{piece(0, "i", "f", ""), {Kind: toolcall.DeltaText, Text: name}}, []D{piece(0, "i", "f", ""), {Kind: toolcall.DeltaText, Text: name}}},
		{"at once", []D{piece(0, "i", name, two)}, []D{whole("i_0", "a", `{"n":1.50}`), whole("i_1", "b", "{}")}},
		{"no id", []D{piece(0, "", name, two)}, []D{whole("", "a", `{"n":1.50}`), whole("", "b", "{}")}},
		{
			"in pieces, another call between", []D{piece(0, "i", name, ""), piece(0, "", "", two[:20]), piece(1, "j", "f", "{}"), piece(0, "", name, two[20:])},
			[]D{piece(1, "j", "f", "{}"), whole("i_0", "a", `{"n":1.50}`), whole("i_1", "b", "{}")},
		},
		{
			"repeated at the end", []D{piece(0, "i", "parallel", ""), piece(0, "", "", two), wholeText(piece(0, "", "", two)), done(wholeText(piece(0, "i", "parallel", two)))},
			[]D{whole("i_0", "a", `{"n":1.50}`), whole("i_1", "b", "{}")},
		},
		{
			"the next call of the index", []D{piece(0, "i", name, two), piece(0, "j", "f", "{}")},
			[]D{whole("i_0", "a", `{"n":1.50}`), whole("i_1", "b", "{}"), piece(0, "j", "f", "{}")},
		},
		{"a tool of that name streams on", []D{piece(0, "i", "parallel", ""), piece(0, "", "", `{"jo`), piece(0, "", "", `bs":3}`)}, []D{piece(0, "i", "parallel", `{"jo`), piece(0, "", "", `bs":3}`)}},
		{"not quite", []D{done(piece(0, "i", name, `{"tool_uses":[{"recipient_name":"a","parameters":7}]}`))}, []D{done(piece(0, "i", name, `{"tool_uses":[{"recipient_name":"a","parameters":7}]}`))}},
		{"empty", []D{piece(0, "i", name, `{"tool_uses":[]}`)}, []D{piece(0, "i", name, `{"tool_uses":[]}`)}},
		{"another call takes its place", []D{piece(0, "i", name, `{"tool`), piece(0, "j", "f", "{}")}, []D{piece(0, "i", name, `{"tool`), piece(0, "j", "f", "{}")}},
		{"cut short", []D{piece(0, "i", name, two[:30])}, []D{piece(0, "i", name, two[:30])}},
		{"not valid JSON", []D{piece(0, "i", name, `{"tool_uses":[}`)}, []D{piece(0, "i", name, `{"tool_uses":[}`)}},
		{"no arguments", []D{done(piece(0, "i", name, ""))}, []D{done(piece(0, "i", name, ""))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var u Unpacker
			var got []D
			for _, d := range tt.in {
				got = u.Add(got, d)
			}
			if diff := cmp.Diff(tt.want, u.FlushAll(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnpackerIsBounded(t *testing.T) {
	var u Unpacker
	var got []D
	got = u.Add(got, piece(0, "i", "parallel", `{"tool_uses":[{"recipient_name":"`))
	for range 3 {
		got = u.Add(got, piece(0, "", "", strings.Repeat("x", maxBytes/2)))
	}
	if len(got) == 0 {
		t.Error("nothing comes out of a call that is too large to hold")
	}
	for i := range 10 * maxCalls {
		u.Add(nil, piece(i+1, "", "parallel", ""))
	}
	if len(u.calls) > maxCalls {
		t.Errorf("%d calls are held", len(u.calls))
	}
}
