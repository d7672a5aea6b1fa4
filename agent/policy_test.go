package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/toolcall"
)

// decide returns a policy's decision about a call.
func decide(t *testing.T, p agent.Policy, info agent.Info, dir, args string) agent.Decision {
	t.Helper()
	var d agent.Decision
	p1 := play(t, `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"`+info.Name+`","input":`+args+`}],"stop_reason":"tool_use","type":"message","model":"m","usage":{"input_tokens":1,"output_tokens":1}}`)
	a := newAgent(t, agent.Config{Provider: p1, Tools: []agent.Tool{&testTool{info: info}}, WorkingDirectory: dir, MaxTurns: 1, Policy: func(ctx context.Context, c agent.Call) agent.Decision {
		d = p(ctx, c)
		return d
	}})
	for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Go.")) {
		if e.Type == agent.PermissionRequest || e.Type == agent.CallStart || e.Type == agent.CallResult {
			break
		}
	}
	return d
}

func info(name string, r agent.Risk, commands, paths []string) agent.Info {
	return agent.Info{ToolDefinition: toolcall.ToolDefinition{Name: name}, Risk: r, Commands: commands, Paths: paths}
}

// A pattern for a shell command is matched with the commands of the script, not with its
// text.
func TestCommandRules(t *testing.T) {
	shell := info("bash", agent.High, []string{"command"}, nil)
	policy := agent.Rules{Rules: []agent.Rule{
		{Tool: "bash", Verdict: agent.Deny, Arguments: map[string]string{"command": "rm *"}},
		{Tool: "bash", Verdict: agent.Allow, Arguments: map[string]string{"command": "git *"}},
		{Tool: "bash", Verdict: agent.Allow, Arguments: map[string]string{"command": "ls"}},
	}}.Policy()
	tests := map[string]agent.Verdict{
		"git log":                           agent.Allow,
		"git log && git status; git diff":   agent.Allow,
		"git log | git apply":               agent.Allow,
		"(git log)":                         agent.Allow,
		"git log 2>&1 >/dev/null":           agent.Allow,
		"git commit -m 'rm -rf is dead'":    agent.Ask, // the text could be a script
		"ls":                                agent.Allow,
		"ls -l":                             agent.Ask,
		"gitk":                              agent.Ask,
		"git log; curl x":                   agent.Ask,
		"git log > /etc/passwd":             agent.Ask,
		"GIT_PAGER=x git log":               agent.Ask,
		"git log $(curl x)":                 agent.Ask,
		"git log `curl x`":                  agent.Ask,
		"git() { curl x; }; git log":        agent.Ask,
		"for i in 1; do git log; done":      agent.Ask,
		"$GIT log":                          agent.Ask,
		"git log 'unclosed":                 agent.Ask,
		"":                                  agent.Ask,
		"git log; rm -rf ~":                 agent.Deny,
		"git log && rm -rf ~":               agent.Deny,
		"git log $(rm -rf ~)":               agent.Deny,
		"/bin/rm -rf ~":                     agent.Deny,
		`\rm -rf ~`:                         agent.Deny,
		`"r"m -rf ~`:                        agent.Deny,
		"sudo rm -rf ~":                     agent.Deny,
		"find . | xargs rm -f":              agent.Deny,
		"bash -c 'git log; rm -rf ~'":       agent.Deny,
		`bash -c "bash -c 'rm -rf ~'"`:      agent.Deny,
		"if true; then rm -rf ~; fi":        agent.Deny,
		"git log <(rm x)":                   agent.Deny,
		"r$X -rf ~":                         agent.Ask,
		"{rm,-rf,~}":                        agent.Ask,
		"git log\nrm x":                     agent.Deny,
		"cat <<E\n$(rm x)\nE":               agent.Deny,
		"echo rm":                           agent.Deny, // looks like a wrapper; better to deny it
		"eval 'rm x'":                       agent.Deny,
		"git -c core.pager='curl x' status": agent.Allow, // git decides what it runs
	}
	for command, want := range tests {
		args, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		if got := decide(t, policy, shell, "/", string(args)).Verdict; got != want {
			t.Errorf("%q: %s, want %s", command, got, want)
		}
	}
}

// If a command may do what a rule denies, the user is asked whatever else is allowed. The
// input of a shell is a script, that of other commands is not.
func TestDoubtfulCommands(t *testing.T) {
	shell := info("bash", agent.High, []string{"command"}, nil)
	policy := agent.Rules{Approve: "all", Rules: []agent.Rule{
		{Tool: "bash", Verdict: agent.Deny, Arguments: map[string]string{"command": "rm *"}},
	}}.Policy()
	for command, want := range map[string]agent.Verdict{
		"bash <<E\nls; rm x\nE": agent.Ask, "sudo sh <<< 'rm x'": agent.Ask, "cat <<E | sh\n\trm x\nE": agent.Ask,
		strings.Repeat("(", 1<<20): agent.Ask, "echo " + strings.Repeat("x ", 40<<10): agent.Allow, "bash <<E\nls\nE": agent.Allow, "cat >f <<E\nrm x\nE": agent.Allow, "git commit -m 'rm x'": agent.Ask, "$X y": agent.Ask,
	} {
		args, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		if got := decide(t, policy, shell, "/", string(args)).Verdict; got != want {
			t.Errorf("%.100q: %s, want %s", command, got, want)
		}
	}
}

// A rule that denies, and whose pattern is broken, asks.
func TestBrokenPathPattern(t *testing.T) {
	write := info("write_file", agent.Medium, nil, []string{"path"})
	for verdict, want := range map[agent.Verdict]agent.Verdict{agent.Deny: agent.Ask, agent.Ask: agent.Ask, agent.Allow: agent.Allow} {
		policy := agent.Rules{Approve: "all", Rules: []agent.Rule{{Tool: "*", Verdict: verdict, Arguments: map[string]string{"path": "secret[/**"}}}}.Policy()
		if got := decide(t, policy, write, t.TempDir(), `{"path":"secret/x"}`).Verdict; got != want {
			t.Errorf("%s: %s, want %s", verdict, got, want)
		}
	}
}

// A pattern for a path is matched with the file that the path leads to.
func TestPathRules(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"src/deep", "secret"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "src/link")); err != nil {
		t.Fatal(err)
	}
	write := info("write_file", agent.Medium, nil, []string{"path"})
	policy := agent.Rules{Rules: []agent.Rule{
		{Tool: "write_file", Verdict: agent.Allow, Arguments: map[string]string{"path": "src/**"}},
		{Tool: "*_file", Verdict: agent.Deny, Arguments: map[string]string{"path": "secret/**"}},
	}}.Policy()
	tests := map[string]agent.Verdict{
		"src/a.go": agent.Allow, "src/deep/a.go": agent.Allow, "./src/../src/a.go": agent.Allow, filepath.Join(dir, "src/a.go"): agent.Allow,
		"a.go": agent.Ask, "src/../a.go": agent.Ask, "../src/a.go": agent.Ask,
		"src/link/key": agent.Deny, "secret/key": agent.Deny, "src/../secret/new/key": agent.Deny,
	}
	for path, want := range tests {
		args, err := json.Marshal(map[string]string{"path": path})
		if err != nil {
			t.Fatal(err)
		}
		if got := decide(t, policy, write, dir, string(args)).Verdict; got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// The order of precedence: deny, ask, allow, risk.
func TestRulesOrder(t *testing.T) {
	all := agent.Rules{Approve: "all"}
	tests := []struct {
		name  string
		rules agent.Rules
		info  agent.Info
		want  agent.Verdict
	}{
		{"safe runs", agent.Rules{}, info("f", agent.Safe, nil, nil), agent.Allow},
		{"medium asks", agent.Rules{}, info("f", agent.Medium, nil, nil), agent.Ask},
		{"high asks", agent.Rules{Approve: "medium"}, info("f", agent.High, nil, nil), agent.Ask},
		{"medium runs", agent.Rules{Approve: "medium"}, info("f", agent.Medium, nil, nil), agent.Allow},
		{"all run", all, info("f", agent.High, nil, nil), agent.Allow},
		{"none runs", agent.Rules{Approve: "none"}, info("f", agent.Safe, nil, nil), agent.Ask},
		{"listed", agent.Rules{AutoApprove: []string{"git.*"}}, info("git.commit", agent.High, nil, nil), agent.Allow},
		{"listed as asking", agent.Rules{RequireApproval: []string{"file.read"}}, info("file.read", agent.Safe, nil, nil), agent.Ask},
		{"in both lists", agent.Rules{AutoApprove: []string{"f"}, RequireApproval: []string{"f"}}, info("f", agent.Safe, nil, nil), agent.Ask},
		{"needs approval", all, agent.Info{ToolDefinition: toolcall.ToolDefinition{Name: "f"}, NeedsApproval: true}, agent.Ask},
		{"denied in spite of all", agent.Rules{Approve: "all", AutoApprove: []string{"f"}, Rules: []agent.Rule{{Tool: "f", Verdict: agent.Deny}}}, info("f", agent.Safe, nil, nil), agent.Deny},
		{"denied by risk", agent.Rules{Approve: "all", Rules: []agent.Rule{{Tool: "*", Verdict: agent.Deny, Risk: agent.High}}}, info("f", agent.High, nil, nil), agent.Deny},
		{"not denied by risk", agent.Rules{Approve: "all", Rules: []agent.Rule{{Tool: "*", Verdict: agent.Deny, Risk: agent.High}}}, info("f", agent.Medium, nil, nil), agent.Allow},
		{"asks in spite of all", agent.Rules{Approve: "all", Rules: []agent.Rule{{Tool: "f", Verdict: agent.Ask}}}, info("f", agent.Safe, nil, nil), agent.Ask},
	}
	for _, test := range tests {
		if got := decide(t, test.rules.Policy(), test.info, "/", "{}"); got.Verdict != test.want || got.Reason == "" {
			t.Errorf("%s: %s (%s), want %s", test.name, got.Verdict, got.Reason, test.want)
		}
	}
}

// What the user always allows is stored in a private file, for exactly this command, and
// applies in the next process.
func TestPolicyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolparse", "policies.json")
	bash := echo("bash", risk(agent.High), func(i *agent.Info) {
		i.Parameters = json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}}}`)
		i.Commands = []string{"command"}
	})
	run := func(answers ...agent.Answer) outcome {
		file, err := agent.OpenPolicyFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := play(t, call("bash", "command", "rm *")+call("bash", "command", "rm x"), "Done.")
		a := newAgent(t, agent.Config{Provider: p, Tools: []agent.Tool{bash}, Policy: file.Rules().Policy(), Remember: file.Remember})
		return collect(t, a, agent.NewSession(), agent.Say("Go."), answers...)
	}
	if got := codes(run(agent.AllowAlways, agent.DenyCall)); got != "bash:DENIED bash:ok" {
		t.Errorf("first: %s", got)
	}
	if got := codes(run(agent.DenyCall)); got != "bash:DENIED bash:ok" {
		t.Errorf("in the next process: %s", got)
	}
	if got := strings.Join(bash.ran, " "); got != `{"command":"rm *"} {"command":"rm *"}` {
		t.Errorf("it ran %s", got)
	}
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stat.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v", stat.Mode())
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the file: %v, %v", left, err)
	}
	if err := os.WriteFile(path, []byte(`{"rules": [`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := agent.OpenPolicyFile(path); err == nil {
		t.Error("a broken file was read")
	}
}

// A permission for a path applies to the file that the path led to, in that directory.
func TestGrantedPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	write := echo("write", risk(agent.High), func(i *agent.Info) {
		i.Parameters = json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)
		i.Paths = []string{"path"}
	})
	var rules []agent.Rule
	run := func(to, in string, answers ...agent.Answer) string {
		os.Remove(link)
		if err := os.Symlink(filepath.Join(dir, to), link); err != nil {
			t.Fatal(err)
		}
		a := newAgent(t, agent.Config{
			Provider: play(t, call("write", "path", "link/x"), "Done."), Tools: []agent.Tool{write}, WorkingDirectory: in,
			Policy: agent.Rules{Rules: rules}.Policy(), Remember: func(r agent.Rule) error { rules = append(rules, r); return nil },
		})
		return codes(collect(t, a, agent.NewSession(), agent.Say("Go."), answers...))
	}
	if got := run("a", dir, agent.AllowAlways); got != "write:ok" {
		t.Error(got)
	}
	if got := run("a", dir, agent.DenyCall); got != "write:ok" {
		t.Errorf("the same file: %s", got)
	}
	if got := run("b", dir, agent.DenyCall); got != "write:DENIED" {
		t.Errorf("the link leads elsewhere: %s", got)
	}
	if got := run("a", t.TempDir(), agent.DenyCall); got != "write:DENIED" {
		t.Errorf("in another directory: %s", got)
	}
}

// Summary is one short line, whatever the arguments.
func TestSummary(t *testing.T) {
	c := agent.Call{Name: "write_file", Arguments: json.RawMessage(`{"path":"a.txt","content":"` + strings.Repeat("x", 1<<20) + `"}`)}
	if got := c.Summary(); len(got) > 200 || !strings.HasPrefix(got, `write_file(path: "a.txt", content: "xxx`) {
		t.Errorf("%d bytes: %.80s", len(got), got)
	}
}

// Rules, answers and verdicts can be read back from their JSON.
func TestRulesJSON(t *testing.T) {
	want := agent.Rules{
		Rules:       []agent.Rule{{Tool: "bash", Verdict: agent.Allow, Arguments: map[string]string{"command": "git *"}, Risk: agent.High}},
		AutoApprove: []string{"file.*"}, RequireApproval: []string{"file.write"},
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got agent.Rules
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A policies file that does not say what somebody may have meant is refused, so that no rule
// that denies is passed over.
func TestPolicyFileIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		`{"rulez":[{"tool":"bash","verdict":"deny"}]}`:                               `unknown field "rulez"`,
		`{"rules":[{"tool":"bash","verdcit":"deny"}]}`:                               `unknown field "verdcit"`,
		`{"rules":[{"tool":"bash","verdict":"deny","argument":{"command":"rm *"}}]}`: `unknown field "argument"`,
		`{"rules":[{"tool":"a","verdict":"deny"},{"verdict":"allow"}]}`:              `rules[1] names no tool`,
		`{"rules":[{"tool":"bash","verdict":"no"}]}`:                                 `unknown verdict "no"`,
		`{"rules":[]} {"rules":[{"tool":"bash","verdict":"deny"}]}`:                  `something follows`,
		`{"rules":[{"tool":"bash","verdict":"deny"}],"rules":[]}`:                    `"rules"`,
		`{"rules":[{"tool":"a","tool":"bash","verdict":"deny"}]}`:                    `"tool"`,
		`{"Rules":[{"tool":"bash","verdict":"deny"}],"rules":[]}`:                    `"Rules"`,
		`{"rules":[{"tool":"a","verdict":"deny","TOOL":"bash"}]}`:                    `"TOOL"`,
		`{"ruleſ":[],"rules":[{"tool":"a","verdict":"deny"}]}`:                       `"rule`,
		strings.Repeat(" ", 4<<20) + `{}`:                                            `more than 4194304 bytes`,
		``:                                                                           `EOF`,
	} {
		path := filepath.Join(t.TempDir(), "policies.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := agent.OpenPolicyFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: %v, want %s", text, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "policies.json")
	text := `{"rules":[{"tool":"mine","verdict":"deny","arguments":{"Path":"/a","path":"/b"}}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err := agent.OpenPolicyFile(path); err != nil || len(file.Rules().Rules[0].Arguments) != 2 {
		t.Errorf("arguments that differ in case: %v", err)
	}
}
