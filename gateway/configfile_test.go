package gateway_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
)

func testEnv(name string) string { return map[string]string{"UP_KEY": "k-1", "DOOR": "k-2"}[name] }

func oneDialect(name string) (*dialect.Dialect, error) {
	list, err := dialect.Named(name, "")
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("%s is no one dialect", name)
	}
	return list[0], nil
}

const whole = `
token_env = "DOOR"
hosts = ["gw.example"]
origins = ["https://chat.example"]

[limits]
request_bytes = 1000
concurrent = 7
tools = 100
messages = 1000
values = 10000
retries = 0

[timeouts]
first_byte = "2m"

[upstreams.local]
url = "http://127.0.0.1:8080/v1"

[upstreams.far]
url = "https://far.example"
wire = "anthropic"
key_env = "UP_KEY"

[models.coder]
upstream = "local"
model = "Qwen/Qwen3-Coder-30B"
aliases = ["gpt-5*"]
default = true
constrain = "llama"
reask = 2
max_tokens = 4096

[models.claude]
upstream = "far"
profile = "vendor"

[models.other]
upstream = "local"
dialect = "hermes"
constrain = "off"
start_in_reasoning = true
prompted = true
`

func TestReadConfig(t *testing.T) {
	got, err := gateway.ReadConfig([]byte(whole), testEnv, oneDialect)
	if err != nil {
		t.Fatal(err)
	}
	var dialects []string
	for i := range got.Targets {
		name := ""
		if d := got.Targets[i].Dialect; d != nil && !d.Native() {
			name = d.Name
		}
		dialects = append(dialects, name)
		got.Targets[i].Dialect = nil
	}
	if diff := cmp.Diff([]string{"", "qwen3_coder", "hermes"}, dialects); diff != "" {
		t.Errorf("dialects (-want +got):\n%s", diff)
	}
	want := gateway.Options{
		Token: "k-2", Hosts: []string{"gw.example"}, Origins: []string{"https://chat.example"},
		Limits: gateway.Limits{RequestBytes: 1000, Concurrent: 7, Tools: 100, Messages: 1000, Values: 10000, Retries: -1}, Timeouts: gateway.Timeouts{FirstByte: 2 * time.Minute},
		Targets: []gateway.Target{
			{Names: []string{"claude"}, Upstream: "https://far.example", Wire: format.Anthropic, Model: "claude", Key: "k-1", Profile: gateway.ProfileVendor},
			{Names: []string{"coder", "gpt-5*", "*"}, Upstream: "http://127.0.0.1:8080/v1", Model: "Qwen/Qwen3-Coder-30B", Constrain: gateway.ConstrainLlama, Reask: 2, MaxTokens: 4096},
			{Names: []string{"other"}, Upstream: "http://127.0.0.1:8080/v1", Model: "other", Constrain: gateway.ConstrainOff, StartInReasoning: true, Prompted: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestConfigPage: the file in docs/serve.md is valid.
func TestConfigPage(t *testing.T) {
	text, err := os.ReadFile("../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(string(text), "```toml\n")
	file, _, ok := strings.Cut(file, "```")
	if !ok {
		t.Fatal("the page shows no file")
	}
	getenv := func(name string) string { return "value of " + name }
	if opts, err := gateway.ReadConfig([]byte(file), getenv, oneDialect); err != nil || len(opts.Targets) != 2 {
		t.Errorf("%v: %+v", err, opts)
	}
}

// TestReadConfigErrors: an error names the line, or the field.
func TestReadConfigErrors(t *testing.T) {
	const up = "[upstreams.u]\nurl = \"http://127.0.0.1:1/v1\"\n"
	for _, tt := range []struct{ name, file, want string }{
		{"no TOML", "[models", "line 1"},
		{"unknown field", up + "[models.m]\nupstream = \"u\"\ndialec = \"hermes\"\n", "line 5: there is no field models.m.dialec"},
		{"a key in the file", "[upstreams.u]\nurl = \"http://127.0.0.1:1/v1\"\nkey = \"sk-1\"\n", "line 3: there is no field upstreams.u.key"},
		{"a wrong type", up + "[models.m]\nupstream = \"u\"\nreask = \"many\"\n", "line 5"},
		{"no URL", "[upstreams.u]\nurl = \"localhost:1\"\n", "line 2"},
		{"no such wire", up + "wire = \"soap\"\n", "line 3"},
		{"no duration", "[timeouts]\nidle = \"soon\"\n", "line 2"},
		{"no such profile", up + "[models.m]\nupstream = \"u\"\nprofile = \"x\"\n", "line 5"},
		{"no such constraint", up + "[models.m]\nupstream = \"u\"\nconstrain = \"x\"\n", "line 5"},
		{"no models", up, "models: the file has none"},
		{"no such upstream", up + "[models.m]\nupstream = \"v\"\n", "models.m.upstream: there is no [upstreams.v]"},
		{"no upstream", up + "[models.m]\n", "models.m: it names no upstream"},
		{"a name twice", up + "[models.m]\nupstream = \"u\"\naliases = [\"x\"]\n[models.n]\nupstream = \"u\"\naliases = [\"x\"]\n", `models.n: models.m already has the name "x"`},
		{"two defaults", up + "[models.m]\nupstream = \"u\"\ndefault = true\n[models.n]\nupstream = \"u\"\ndefault = true\n", "models.n.default: models.m is already the default"},
		{"no address", "[upstreams.u]\n[models.m]\nupstream = \"u\"\n", "upstreams.u.url: missing"},
		{"no such dialect", up + "[models.m]\nupstream = \"u\"\ndialect = \"hermess\"\n", "models.m.dialect: "},
		{"no such variable", up + "key_env = \"NOT_SET\"\n[models.m]\nupstream = \"u\"\n", "upstreams.u.key_env: the environment variable NOT_SET is not set"},
		{"no token", "token_env = \"NOT_SET\"\n", "token_env: "},
		{"an alias twice", up + "[models.m]\nupstream = \"u\"\naliases = [\"n\"]\n[models.n]\nupstream = \"u\"\n", `already has the name "n"`},
		{"a negative limit", "[limits]\nconcurrent = -1\n", "limits.concurrent"},
		{"another negative limit", "[limits]\ntools = -1\n", "limits.tools"},
		{"a negative number", up + "[models.m]\nupstream = \"u\"\nreask = -1\n", "models.m: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := gateway.ReadConfig([]byte(tt.file), testEnv, oneDialect)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "sk-1") {
				t.Errorf("it tells the key: %v", err)
			}
		})
	}
}
