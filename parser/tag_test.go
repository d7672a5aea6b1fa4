package parser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTagLexer(t *testing.T) {
	long := strings.Repeat("n", maxAttribute)
	for _, tt := range []struct {
		text      string // after the tag's name
		want      tagVerdict
		attrs     []attribute
		unquoted  bool
		selfClose bool
	}{
		{text: ">", want: tagDone},
		{text: " \n>", want: tagDone},
		{text: "/>", want: tagDone, selfClose: true},
		{text: " / >", want: tagDone, selfClose: true},
		{text: ` a="1">`, want: tagDone, attrs: []attribute{{"a", "1"}}},
		{text: "\ta = '1'\n>", want: tagDone, attrs: []attribute{{"a", "1"}}},
		{text: ` a="x > y" b='"'/>`, want: tagDone, attrs: []attribute{{"a", "x > y"}, {"b", `"`}}, selfClose: true},
		{text: ` a="&lt;&#65;&nbsp;">`, want: tagDone, attrs: []attribute{{"a", "<A&nbsp;"}}},
		{text: ` a="">`, want: tagDone, attrs: []attribute{{"a", ""}}},
		{text: ` a=1 b=x/y>`, want: tagDone, attrs: []attribute{{"a", "1"}, {"b", "x/y"}}, unquoted: true},
		{text: ` a=1/>`, want: tagDone, attrs: []attribute{{"a", "1"}}, unquoted: true, selfClose: true},
		{text: ` ` + long + `="1">`, want: tagDone, attrs: []attribute{{long, "1"}}},
		{text: ` ` + long + `n="1">`, want: tagBroken},
		{text: "box>", want: tagBroken},
		{text: ` a>`, want: tagBroken},
		{text: ` a =>`, want: tagBroken},
		{text: ` a=</x>`, want: tagBroken},
		{text: ` a="1"b="2">`, want: tagBroken},
		{text: ` a=b"c>`, want: tagBroken},
		{text: ` <tool>`, want: tagBroken},
		{text: ` / a="1">`, want: tagBroken},
		{text: ` a="1`, want: tagMore},
		{text: ` a`, want: tagMore},
		{text: ``, want: tagMore},
	} {
		t.Run(tt.text[:min(len(tt.text), 20)], func(t *testing.T) {
			for cut := range len(tt.text) + 1 {
				var l tagLexer
				l.reset(xmlTags, nil)
				verdict, _ := l.read(tt.text[:cut], 0)
				if verdict == tagMore {
					verdict, _ = l.read(tt.text[cut:], 0)
				}
				if verdict != tt.want {
					t.Fatalf("cut at %d: verdict %d, want %d", cut, verdict, tt.want)
				}
				if verdict != tagDone {
					continue
				}
				var attrs []attribute
				for _, a := range l.attrs {
					attrs = append(attrs, attribute{string(l.name(a)), l.value(a)})
				}
				if diff := cmp.Diff(tt.attrs, attrs, cmp.AllowUnexported(attribute{})); diff != "" {
					t.Errorf("cut at %d:\n%s", cut, diff)
				}
				if l.unquoted != tt.unquoted || l.selfClose != tt.selfClose {
					t.Errorf("cut at %d: unquoted %v, closes itself %v", cut, l.unquoted, l.selfClose)
				}
			}
		})
	}
}

func TestTagAttr(t *testing.T) {
	var l tagLexer
	l.reset(xmlTags, nil)
	l.read(` Name="first" name="second" id="3">`, 0)
	for _, tt := range []struct {
		names []string
		want  string
		ok    bool
	}{
		{[]string{"name"}, "first", true},
		{[]string{"tool", "ID"}, "3", true},
		{[]string{"id", "name"}, "3", true}, // by the order of what is asked for
		{[]string{"tool"}, "", false},
		{nil, "", false},
	} {
		t.Run(strings.Join(tt.names, ","), func(t *testing.T) {
			if got, ok := l.attr(tt.names...); got != tt.want || ok != tt.ok {
				t.Errorf("%q, %v; want %q, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}
