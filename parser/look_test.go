package parser

import (
	"strings"
	"testing"
)

func TestLook(t *testing.T) {
	long := strings.Repeat("n", maxTagName)
	for _, tt := range []struct {
		text string
		want token
		name string
		rest string // what is not read
	}{
		{"", tokenMore, "", ""},
		{" \t\r\n", tokenMore, "", ""},
		{"<", tokenMore, "", ""},
		{"</ar", tokenMore, "ar", ""},
		{" <arg name", tokenOpen, "arg", " name"},
		{"<arg>", tokenOpen, "arg", ">"},
		{"<arg/>", tokenOpen, "arg", "/>"},
		{"<a:b-c.d_1>", tokenOpen, "a:b-c.d_1", ">"},
		{"<é>", tokenOpen, "é", ">"},
		{"<arg=", tokenOther, "arg", "="},
		{"< arg>", tokenOther, "", " arg>"},
		{"<1>", tokenOther, "", "1>"},
		{"<" + long + ">", tokenOpen, long, ">"},
		{"<" + long + "n>", tokenOther, long, "n>"},
		{"\n</arg>x", tokenClose, "arg", "x"},
		{"</arg \n>x", tokenClose, "arg", "x"},
		{"</ARG>", tokenClose, "ARG", ""},
		{"</arg x>", tokenOther, "arg", "x>"},
		{"</ arg>", tokenOther, "", " arg>"},
		{"<!--x", tokenComment, "<!--", "x"},
		{"<![CDATA[x", tokenCDATA, "<![CDATA[", "x"},
		{"<![cdata[", tokenOther, "<![c", "cdata["},
		{"<!-x", tokenOther, "<!-x", "x"},
		{"<!DOCTYPE", tokenOther, "<!D", "DOCTYPE"},
		{"  {}", tokenBrace, "", "{}"},
		{" x", tokenOther, "", "x"},
	} {
		t.Run(tt.text[:min(len(tt.text), 20)], func(t *testing.T) {
			for cut := range len(tt.text) + 1 {
				var l look
				at := cut
				tok, i := l.read(tt.text[:cut], 0)
				if tok == tokenMore {
					if i != cut {
						t.Fatalf("cut at %d: more is needed, but %d bytes were read", cut, i)
					}
					tok, i = l.read(tt.text[cut:], 0)
				} else {
					at = 0
				}
				if rest := tt.text[at+i:]; tok != tt.want || string(l.name) != tt.name || rest != tt.rest {
					t.Errorf("cut at %d: token %d, name %q, then %q; want %d, %q, %q", cut, tok, l.name, rest, tt.want, tt.name, tt.rest)
				}
			}
		})
	}
}

func TestMayClose(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " ": true, "<": true, "</": true, "</to": true, "</TOOL": true, "</tool ": true,
		"<t": false, "</x": false, "</tools": false, "</too ": false, "<!": false,
	} {
		t.Run(text, func(t *testing.T) {
			var l look
			l.read(text, 0)
			if got := l.mayClose("tool"); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestIndexPrefix(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"abc", 3},
		{"ab</x", 2},
		{"ab<", 2},
		{"<<</", 2},
		{"< <a <", 5},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := indexPrefix(tt.text, "</tool"); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestLiteral(t *testing.T) {
	for _, tt := range []struct {
		name     string
		text     string
		next     int
		done, ok bool
	}{
		{"nothing", "", 0, false, true},
		{"some", "--", 2, false, true},
		{"all", "-->", 3, true, true},
		{"more", "-->x", 3, true, true},
		{"another byte", "-x", 1, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := literal{text: commentClose}
			next, done, ok := l.match(tt.text, 0)
			if next != tt.next || done != tt.done || ok != tt.ok {
				t.Errorf("%d, %v, %v; want %d, %v, %v", next, done, ok, tt.next, tt.done, tt.ok)
			}
		})
	}
	t.Run("case", func(t *testing.T) {
		for _, fold := range []bool{false, true} {
			l := literal{text: "</tool", fold: fold}
			if _, done, _ := l.match("</TOOL", 0); done != fold {
				t.Errorf("fold %v: done %v", fold, done)
			}
		}
	})
}
