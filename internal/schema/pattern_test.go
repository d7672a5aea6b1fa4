package schema

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		pattern    string
		match, not []string
	}{
		{`^(?!/etc).*$`, []string{"", "/usr", "x/etc"}, []string{"/etc", "/etc/passwd", "a\nb"}},
		{`^(?=.*[A-Z])(?=.*\d).{4,}$`, []string{"Abc1", "12Z4"}, []string{"abc1", "Abcd", "A1"}},
		{`^(?!.*\.\.)(?:[a-z]+/)*[a-z.]+$`, []string{"a/b.c"}, []string{"a/..", "A"}},
		{`^(?i:a)$`, []string{"a", "A"}, []string{"b"}},
		{`(?i)^(?!admin)[a-z]+$`, []string{"User"}, []string{"ADMIN", "Administrator", "a1"}},
		{`^\d{3}-\w+\s$`, []string{"123-a_\u00a0", "123-b\u2003"}, []string{"123-é "}},
		{`^[^\s]+$`, []string{"ab"}, []string{"a\u00a0b", ""}},
		{`^[\S]$`, []string{"é", "x"}, []string{" ", "\ufeff"}},
		{`^\u00e9\x41\cJ\/\-$`, []string{"éA\n/-"}, []string{"é"}},
		{`^[\u4e00-\u9fa5]+$`, []string{"中文"}, []string{"a"}},
		{`^\ud83d\ude00$`, []string{"😀"}, nil},
		{`^[\w.-]+@[\w-]+\.[a-z]{2,}$`, []string{"a.b@c.de"}, []string{"a@b"}},
		{`^.{1,4096}$`, []string{"a", strings.Repeat("é", 4096)}, []string{"", strings.Repeat("a", 4097), "a\u2028b"}},
		{`^a{1500,}$`, []string{strings.Repeat("a", 1500)}, []string{strings.Repeat("a", 1499)}},
		{`^[^]$`, []string{"\n", "a"}, []string{""}},
		{`a[]`, nil, []string{"a", ""}},
		{`^[[a]$`, []string{"[", "a"}, []string{"b"}},
		{`^[[:alpha:]]$`, []string{"a"}, []string{"1", ":"}},
		{`^{a}$`, []string{"{a}"}, []string{"a"}},
		{`^a{,2}$`, []string{"a{,2}"}, []string{"aa"}},
		{`^(?<year>\d{4})$`, []string{"2026"}, []string{"26"}},
		{`^(?P<year>\d{4})\Z`, []string{"2026"}, []string{"26"}},
		{`^\p{L}+\p{Script=Greek}$`, []string{"aα"}, []string{"1α", "aa"}},
		{`^[a\-z]$`, []string{"-"}, []string{"b"}},
		{`^[\s-.]$`, []string{"-", " ", "."}, []string{"/"}},
		{`^[.-\s]$`, []string{"-", " ", "."}, []string{"/"}},
		{`^(?:ab){1001,1003}$`, []string{strings.Repeat("ab", 1001), strings.Repeat("ab", 1003)}, []string{strings.Repeat("ab", 1000), strings.Repeat("ab", 1004)}},
		{`^(?s).$`, []string{"\n", "\r"}, nil},
		{`^\_\i[\-\a]$`, []string{"_i-", "_ia"}, nil},
		{`^[\d-x]$`, []string{"-", "5", "x"}, []string{"y"}},
		{`^a*?b+?$`, []string{"b", "aab"}, []string{"a"}},
		{`\bfoo\b`, []string{"a foo"}, []string{"afoo"}},
	} {
		p := &pattern{source: test.pattern}
		for _, text := range test.match {
			if got := p.match(text); got != fits {
				t.Errorf("%s with %.40q: %v, %v", test.pattern, text, got, p.err)
			}
		}
		for _, text := range test.not {
			if got := p.match(text); got != misfit {
				t.Errorf("%s with %.40q: %v, %v", test.pattern, text, got, p.err)
			}
		}
	}
}

func TestPatternUnchecked(t *testing.T) {
	for _, source := range []string{
		`^(a)\1$`, `(?<x>a)\k<x>`, `a(?!b)`, `(?<!a)b`, `a(?=b)c`, `(?!a)b`, `(?m)^(?!a)b$`, `^(?:(?!x)a|b)$`, `^((?!\.\.).)*$`, `^(?!x)a|^b`, `(?!^a)^b`, `^(?!a)+b`, `^.*(?<!\.exe)$`, `foo(?=bar)`, `(?<=a)b`, `^(?:a(?!b)|c)+$`, `a{70000}`, strings.Repeat("(", 40) + "a" + strings.Repeat("){1001}", 40), `(?:a{900}){900}`, `\p{Nothing}`,
	} {
		p := &pattern{source: source}
		if got := p.match("a"); got != unsure || p.why() == "" {
			t.Errorf("%s: %v, %q", source, got, p.why())
		}
		if err := patternFault(source); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// TestPatternIsRE2: of a pattern that both syntaxes read alike, both say the same.
func TestPatternIsRE2(t *testing.T) {
	atoms := rapid.SampledFrom([]string{"a", "b", "(a|b)", "(?:ab)", "[a-c]", "[^a]", "\\d", "\\.", "x", "é"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"", "^"}).Draw(t, "start"))
		for range rapid.IntRange(1, 4).Draw(t, "atoms") {
			b.WriteString(atoms.Draw(t, "atom") + rapid.SampledFrom([]string{"", "", "*", "+", "?", "{1,2}", "{2}", "|"}).Draw(t, "repeat"))
		}
		b.WriteString(rapid.SampledFrom([]string{"", "$"}).Draw(t, "end"))
		re, err := regexp.Compile(b.String())
		if err != nil {
			t.Skip(err)
		}
		text := rapid.StringMatching(`[abcx1.é]{0,6}`).Draw(t, "text")
		if got := (&pattern{source: b.String()}).match(text); got == unsure || (got == fits) != re.MatchString(text) {
			t.Fatalf("%s with %q: %v", b.String(), text, got)
		}
	})
}
