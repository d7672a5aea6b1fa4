package manifest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/toolcall"
)

func weather() []toolcall.ToolDefinition {
	return []toolcall.ToolDefinition{
		{Name: "get_weather", Description: "The weather.", Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`)},
		{Name: "send_mail", Description: "Send a mail.", Parameters: []byte(`{"type":"object","properties":{"to":{"type":"string"},"text":{"type":"string"}},"required":["to","text"]}`)},
	}
}

func mustNew(t interface{ Fatal(...any) }, opts Options, dialect string) *Manifest {
	if dialect != "" {
		d, err := ForProvider("", dialect)
		if err != nil {
			t.Fatal(err)
		}
		opts.Dialect = d
	}
	if opts.Style == StyleAuto {
		opts.Style = StyleTeach
	}
	m, err := New(weather(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// teach returns the full or the compact style.
func teach(compact bool) Style {
	if compact {
		return StyleCompact
	}
	return StyleTeach
}

func composerOf(t interface{ Fatal(...any) }, d *dialect.Dialect, tools []*tool, opts *Options) *composer {
	c, err := newComposer(d, tools, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestInject(t *testing.T) {
	m := mustNew(t, Options{}, "xml")
	text := m.Text()
	cut := strings.TrimSuffix(text, "\n")
	for _, test := range []struct{ name, system, want string }{
		{"empty", "", text},
		{"end", "You help.", "You help.\n\n" + text},
		{"newlines", "You help.\n\n\n", "You help.\n\n" + text},
		{"placeholder", "A\n{{tools}}\nB {{tools}}", "A\n" + cut + "\nB "},
	} {
		got := m.Inject(test.system)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	empty, err := New(nil, Options{Dialect: m.dialect})
	if err != nil || empty.Text() != "" || empty.Inject("You help. ") != "You help. " {
		t.Error("without tools there is something", err)
	}
}

// TestInjectOnce checks that injecting a manifest again changes nothing, and that a manifest
// composed twice is the same.
func TestInjectOnce(t *testing.T) {
	m, again := mustNew(t, Options{}, "hermes"), mustNew(t, Options{}, "hermes")
	rapid.Check(t, func(t *rapid.T) {
		system := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "\n", " ", "{{tools}}", "## Accessible Tools\n\n", "{{", "é"}), 0, 8).Draw(t, "parts"), "")
		once := m.Inject(system)
		if twice := again.Inject(once); twice != once {
			t.Fatalf("%q, then %q", once, twice)
		}
		if strings.Count(once, "To call a tool") != 1 {
			t.Fatal(once)
		}
		r := &chat.Request{Messages: []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart(system)}}}}
		first := m.InjectChat(r)
		if diff := cmp.Diff(first, again.InjectChat(first)); diff != "" {
			t.Fatal(diff)
		}
		if first.Messages[0].Parts[0].Text != once || r.Messages[0].Parts[0].Text != system {
			t.Fatal("the request is not as the prompt, or the caller's was changed")
		}
	})
}

func TestInjectChat(t *testing.T) {
	m := mustNew(t, Options{}, "hermes")
	user := chat.Message{Role: chat.User, Parts: []chat.Part{chat.TextPart("Hello")}}
	hosted := chat.Tool{Hosted: true}
	hosted.Name = "web_search"
	r := &chat.Request{Messages: []chat.Message{user}, Tools: []chat.Tool{{}, hosted}, ParallelCalls: chat.On, Stop: []string{"END"}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceAuto}}
	got := m.InjectChat(r)
	want := &chat.Request{
		Messages: []chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart(m.Text())}}, user},
		Tools:    []chat.Tool{hosted}, Stop: []string{"END", "<tool_response>", "<|im_end|>"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	developer := chat.Message{Role: chat.Developer, Parts: []chat.Part{chat.TextPart("A {{tools}} B"), chat.TextPart("C")}}
	got = m.InjectChat(&chat.Request{Messages: []chat.Message{user, developer}})
	if len(got.Messages) != 2 || got.Messages[1].Parts[0].Text != m.Inject("A {{tools}} B") || got.Messages[1].Parts[1].Text != "C" {
		t.Error(got.Messages)
	}
}

// listed is the beginning of a list of calls, which examples without lists do not contain.
var listed = regexp.MustCompile(`\[\s*(?:\{|render_html\()`)

// TestWording checks the sentences that measurements have shown to matter.
func TestWording(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form == "" {
			continue
		}
		defs := telling(t)
		for _, compact := range []bool{false, true} {
			m, err := New(defs, Options{Dialect: d, Style: teach(compact)})
			if err != nil {
				t.Fatal(err)
			}
			none := "If no call is needed, answer"
			if compact {
				none = "If none is needed, answer"
			}
			for _, want := range []string{heading, "To call a tool", none, "stop and wait", "esults come in the user's next message"} {
				if !strings.Contains(m.Text(), want) {
					t.Errorf("%s (compact %t): no %q", d.Name, compact, want)
				}
			}
			list := strings.Contains(m.Text(), "in one list:\n")
			if list == strings.Contains(m.Text(), "one after another:\n") {
				t.Errorf("%s (compact %t): it is not said how several calls are written", d.Name, compact)
			}
			if _, calls, _ := strings.Cut(m.Text(), "To call a tool"); list != listed.MatchString(calls) {
				t.Errorf("%s (compact %t): said to be a list: %t, and shown otherwise", d.Name, compact, list)
			}
			for _, def := range defs {
				if !strings.Contains(m.Text(), def.Name) {
					t.Errorf("%s (compact %t): no tool %s", d.Name, compact, def.Name)
				}
			}
			s := m.Stats()
			sum := s.Fixed.Bytes
			for _, c := range s.Tools {
				sum += c.Bytes
			}
			if len(s.Tools) != len(defs) || sum != len(m.Text()) || s.Total.Bytes != sum || s.Fixed.Bytes <= 0 {
				t.Errorf("%s: stats %+v of %d bytes", d.Name, s, len(m.Text()))
			}
		}
	}
}

func TestChoice(t *testing.T) {
	only := chat.ToolChoice{Mode: chat.ChoiceAuto, Tools: []string{"send_mail"}}
	for _, test := range []struct {
		name     string
		choice   chat.ToolChoice
		parallel chat.Switch
		has, no  []string
	}{
		{"auto", chat.ToolChoice{}, chat.Unset, []string{"answer without one"}, []string{"must", "Call no tool"}},
		{"none", chat.ToolChoice{Mode: chat.ChoiceNone}, chat.Unset, []string{"Call no tool"}, []string{"answer without one"}},
		{"required", chat.ToolChoice{Mode: chat.ChoiceRequired}, chat.On, []string{"at least one call"}, []string{"answer without one"}},
		{"one", chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"send_mail"}}, chat.Unset, []string{"must call send_mail", `{"name": "send_mail"`, "get_weather"}, []string{`{"name": "get_weather", "arguments"`, "answer without one"}},
		{"subset", only, chat.Unset, []string{"only these may be called now: send_mail", "get_weather", "answer without one"}, []string{`{"name": "get_weather", "arguments"`}},
		{"single", chat.ToolChoice{}, chat.Off, []string{"no more than one call"}, []string{"several"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := mustNew(t, Options{Choice: test.choice, Parallel: test.parallel}, "hermes")
			for _, want := range test.has {
				if !strings.Contains(m.Text(), want) {
					t.Errorf("no %q in\n%s", want, m.Text())
				}
			}
			for _, not := range test.no {
				if strings.Contains(m.Text(), not) {
					t.Errorf("%q is in\n%s", not, m.Text())
				}
			}
		})
	}
	for _, bad := range []struct {
		choice chat.ToolChoice
		want   string
	}{
		{chat.ToolChoice{Mode: chat.ChoiceOne}, "expected the name of one tool, got 0"},
		{chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"x"}}, `unknown tool "x"`},
		{chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"get_weather", "send_mail"}}, `expected the name of one tool, got 2: ["get_weather" "send_mail"]`},
		{chat.ToolChoice{Tools: []string{"get_wether"}}, `unknown tool "get_wether"; did you mean "get_weather"`},
	} {
		if _, err := New(weather(), Options{Provider: "openai", Choice: bad.choice}); err == nil || !strings.Contains(err.Error(), "tool choice: "+bad.want) {
			t.Errorf("%v: %v", bad.choice, err)
		}
	}
}

// TestChoiceExamples checks that a manifest shows no call of a tool that must not be called:
// neither an example of its definition nor one of its own.
func TestChoiceExamples(t *testing.T) {
	named := func(name, schema string) toolcall.ToolDefinition {
		return toolcall.ToolDefinition{Name: name, Parameters: []byte(schema)}
	}
	given := map[string][]Example{"given": {{Arguments: []byte(`{"x":"own"}`)}}}
	defs := []toolcall.ToolDefinition{
		named("listed", `{"type":"object","properties":{"days":{"type":"array","items":{"type":"string"}}},"required":["days"]}`),
		named("given", `{"type":"object","properties":{"x":{"type":"string"}}}`),
		named("free", `{"type":"object","properties":{"mode":{"type":"string"}},"required":["mode"]}`),
	}
	for _, test := range []struct {
		name   string
		choice chat.ToolChoice
		shown  []string
	}{
		{"auto", chat.ToolChoice{}, []string{"listed", "given", "free"}},
		{"none", chat.ToolChoice{Mode: chat.ChoiceNone}, []string{"listed", "given", "free"}},
		{"one", chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"free"}}, []string{"free"}},
		{"subset", chat.ToolChoice{Tools: []string{"free", "listed"}}, []string{"listed", "free"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := New(defs, Options{Provider: "anthropic", Choice: test.choice, Examples: given})
			if err != nil {
				t.Fatal(err)
			}
			var shown []string
			for _, d := range defs {
				if strings.Contains(m.Text(), `<tool name="`+d.Name+`">`) {
					shown = append(shown, d.Name)
				}
			}
			if diff := cmp.Diff(test.shown, shown); diff != "" {
				t.Errorf("%s\n%s", diff, m.Text())
			}
		})
	}
}

// TestStopAndPrefill checks that the parser reads the call in an answer that is cut at a stop
// sequence, and in one that continues the prefill.
func TestStopAndPrefill(t *testing.T) {
	prefills := 0
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.Name == "cwm" {
			continue
		}
		for _, parallel := range []chat.Switch{chat.On, chat.Off} {
			m, err := New(weather(), Options{Dialect: d, Parallel: parallel, Choice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"get_weather"}}})
			if err != nil {
				t.Fatal(err)
			}
			tools, err := newTools(weather()[:1])
			if err != nil {
				t.Fatal(err)
			}
			c := composerOf(t, d, tools, &m.opts)
			if err := c.sample(); err != nil {
				t.Fatal(err)
			}
			call, err := c.write(c.single)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Stop()) == 0 || len(m.Stop()) > 4 {
				t.Errorf("%s: stops %q", d.Name, m.Stop())
			}
			for _, s := range m.Stop() {
				cut, _, _ := strings.Cut(call, s)
				if err := c.check(cut, c.single); err != nil {
					t.Errorf("%s: cut at %q: %v", d.Name, s, err)
				}
			}
			if m.Prefill() == "" || !strings.HasPrefix(call, m.Prefill()) || !strings.Contains(m.Prefill(), "get_weather") {
				t.Errorf("%s: prefill %q of %q", d.Name, m.Prefill(), call)
			}
			prefills++
		}
	}
	for provider, want := range map[string]string{"openai": "", "gemini": "", "anthropic": `<tool name="`} {
		m := mustNew(t, Options{Provider: provider, Choice: chat.ToolChoice{Mode: chat.ChoiceRequired}}, "")
		if m.Prefill() != want {
			t.Errorf("%s: %q", provider, m.Prefill())
		}
	}
	if m := mustNew(t, Options{}, "hermes"); m.Prefill() != "" {
		t.Errorf("a call that may be left out is begun: %q", m.Prefill())
	}
	if prefills == 0 {
		t.Error("nothing was tried")
	}
}

func TestFormatters(t *testing.T) {
	own := Formatter{Schema: func(d toolcall.ToolDefinition) (string, error) { return "TOOL " + d.Name, nil }}
	m := mustNew(t, Options{Provider: "acme", Formatters: map[string]Formatter{"acme": own}}, "")
	if !strings.Contains(m.Text(), "TOOL get_weather\nTOOL send_mail\n") {
		t.Error(m.Text())
	}
	own.Example = func([]toolcall.ToolInvocation) (string, error) { return "no call at all", nil }
	if _, err := New(weather(), Options{Provider: "acme", Formatters: map[string]Formatter{"acme": own}}); err == nil {
		t.Error("an example that does not read back is shown")
	}
}

// TestClosing checks that a template's text after the conversation is one message at its end,
// unless no tool may be called.
func TestClosing(t *testing.T) {
	m := mustNew(t, Options{Style: StyleTemplate}, "command_r_plus")
	r := &chat.Request{Messages: []chat.Message{{Role: chat.User, Parts: []chat.Part{chat.TextPart("Hi")}}}}
	once := m.InjectChat(r)
	last := once.Messages[len(once.Messages)-1]
	if last.Role != chat.System || !strings.HasPrefix(last.Parts[0].Text, "Write 'Action:'") || len(once.Messages) != 3 {
		t.Errorf("%v", once.Messages)
	}
	if diff := cmp.Diff(once.Messages, m.InjectChat(once).Messages); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(m.Text(), last.Parts[0].Text) {
		t.Error(m.Text())
	}
	m = mustNew(t, Options{Style: StyleTemplate, Choice: chat.ToolChoice{Mode: chat.ChoiceNone}}, "command_r_plus")
	if out := m.InjectChat(r); len(out.Messages) != 2 {
		t.Errorf("%v", out.Messages)
	}
}

// TestInjectRemembered checks that a manifest with a memory is put into the same place as one
// without, at the first time and later.
func TestInjectRemembered(t *testing.T) {
	texts := recent.NewTexts()
	message := func(role chat.Role, list ...string) chat.Message {
		m := chat.Message{Role: role, Extras: chat.Extras{{Name: "kept"}}}
		for _, s := range list {
			m.Parts = append(m.Parts, chat.Part{Kind: chat.PartText, Text: s, Extras: chat.Extras{{Name: "kept"}}})
		}
		return m
	}
	older := mustNew(t, Options{}, "xml").Text()
	for _, d := range dialect.All() {
		with, err := New(weather(), Options{Dialect: d, Texts: texts})
		if err != nil { // its tool is another one
			continue
		}
		without, err := New(weather(), Options{Dialect: d})
		if err != nil {
			t.Fatal(err)
		}
		for _, messages := range [][]chat.Message{
			{message(chat.User, "Hi")},
			{message(chat.System, "You help."), message(chat.User, "Hi")},
			{message(chat.System, "You help.\n\n"+older+"\nBe brief."), message(chat.User, "Hi")},
			{message(chat.System, "You help.\n\n"+without.Text()), message(chat.User, "Hi")},
			{message(chat.System, "Use {{tools}}!"), message(chat.User, "Hi")},
			{message(chat.Developer, "You help.", "Be brief."), message(chat.User, "Hi")},
			{message(chat.System, "You help."), message(chat.User, "Hi"), message(chat.System, "Use {{tools}}!")},
			{message(chat.User, "You help."), message(chat.System, "You help.")},
			{message(chat.System), message(chat.User, "Hi")},
		} {
			for range 2 {
				want, got := without.InjectChat(&chat.Request{Messages: messages}), with.InjectChat(&chat.Request{Messages: messages})
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-without +with a memory):\n%s", d.Name, diff)
				}
			}
		}
	}
}
