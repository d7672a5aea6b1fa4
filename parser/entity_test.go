package parser

import (
	"fmt"
	"strings"
	"testing"
)

func TestDecodeEntities(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"&lt;&gt;&amp;&quot;&apos;", `<>&"'`},
		{"a&lt;b", "a<b"},
		{"&amp;lt;", "&lt;"}, // once
		{"&#65;&#x41;&#X41;&#x1F600;&#128512;", "AAA😀😀"},
		{"&#x10FFFF;&#1114111;", "\U0010FFFF\U0010FFFF"},
		{"&#x110000;", "&#x110000;"},
		{"&#xD800;", "&#xD800;"}, // half a surrogate pair
		{"&#0;", "&#0;"},
		{"&#;&#x;&#xx41;&;", "&#;&#x;&#xx41;&;"},
		{"&nbsp;&LT;", "&nbsp;&LT;"}, // neither is one of the five
		{"&lt", "&lt"},
		{"&lt ;", "&lt ;"},
		{"&&lt;", "&<"},
		{"&l&lt;", "&l<"},
		{"&" + strings.Repeat("a", 100) + ";", "&" + strings.Repeat("a", 100) + ";"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := decodeEntities(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestEntitiesInValues: values decode as attributes do, however they are cut.
func TestEntitiesInValues(t *testing.T) {
	const head, tail = `<tool name="x"><arguments><arg name="k">`, `</arg></arguments></tool>`
	for _, text := range []string{"a&lt;b", "&#x1F600;", "&nbsp;", "&lt", "&&amp;;", "&#xD800;", "&#x10FFFF;", "&aaaaaaaaaaaaaaa;"} {
		t.Run(text, func(t *testing.T) {
			want := fmt.Sprintf("tool_call x content %q complete", `{"k":`+quote(decodeEntities(text))+`}`)
			for cut := range len(text) + 1 {
				p, err := New(Options{Dialects: []*Dialect{xmlTags}})
				if err != nil {
					t.Fatal(err)
				}
				lines := segments(p, head+text[:cut], text[cut:]+tail)
				if len(lines) != 1 || !strings.HasPrefix(lines[0], want+" ") {
					t.Errorf("cut at %d: %q, want %q", cut, lines, want)
				}
			}
		})
	}
}
