// Package configfile reads the options of a gateway from a TOML file: upstreams, the
// models on them, and how to change requests for each model.
//
//	[upstreams.local]
//	url = "http://127.0.0.1:8080/v1"
//
//	[models.coder]                      # the name for clients
//	upstream = "local"
//	model = "Qwen3-Coder-30B"           # the upstream's name
//	aliases = ["gpt-5*", "claude-*"]
//	dialect = "qwen3_coder"
//
// The file contains no keys, only the names of environment variables that hold them.
package configfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
)

// Context resolves references in a file.
type Context struct {
	// Getenv returns the value of an environment variable, or "".
	Getenv func(name string) string
	// Dialect returns the dialect with this name.
	Dialect func(name string) (*dialect.Dialect, error)
}

// file is the content of a file.
type file struct {
	TokenEnv  string   `toml:"token_env"`
	Hosts     []string `toml:"hosts"`
	Origins   []string `toml:"origins"`
	Limits    limits   `toml:"limits"`
	Timeouts  timeouts `toml:"timeouts"`
	Upstreams map[string]upstream
	Models    map[string]model
}

type limits struct {
	RequestBytes int64 `toml:"request_bytes"`
	EventBytes   int   `toml:"event_bytes"`
	AnswerBytes  int64 `toml:"answer_bytes"`
	Concurrent   int   `toml:"concurrent"`
	Tools        int   `toml:"tools"`
	Messages     int   `toml:"messages"`
	Values       int   `toml:"values"`
	Retries      *int  `toml:"retries"`
}

type timeouts struct {
	Connect   duration `toml:"connect"`
	FirstByte duration `toml:"first_byte"`
	Idle      duration `toml:"idle"`
	Write     duration `toml:"write"`
	KeepAlive duration `toml:"keep_alive"`
	Request   duration `toml:"request"`
	Retry     duration `toml:"retry"`
}

// upstream is a server with models.
type upstream struct {
	URL     address `toml:"url"`
	Wire    wire    `toml:"wire"`
	KeyEnv  string  `toml:"key_env"`
	PassKey bool    `toml:"pass_key"`
}

// model is a model that clients can use.
type model struct {
	Upstream         string     `toml:"upstream"`
	Model            string     `toml:"model"`
	Aliases          []string   `toml:"aliases"`
	Default          bool       `toml:"default"`
	Dialect          string     `toml:"dialect"`
	StartInReasoning bool       `toml:"start_in_reasoning"`
	Prompted         bool       `toml:"prompted"`
	Profile          profile    `toml:"profile"`
	MaxTokens        int        `toml:"max_tokens"`
	Constrain        constraint `toml:"constrain"`
	Reask            int        `toml:"reask"`
}

// Read reads a file. Its error names the line if the file cannot be parsed, and otherwise
// the field.
func Read(data []byte, in Context) (gateway.Options, error) {
	var f file
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return gateway.Options{}, placed(err)
	}
	opts := gateway.Options{
		Hosts: f.Hosts, Origins: f.Origins,
		Limits: gateway.Limits{
			RequestBytes: f.Limits.RequestBytes, EventBytes: f.Limits.EventBytes, AnswerBytes: f.Limits.AnswerBytes, Concurrent: f.Limits.Concurrent,
			Tools: f.Limits.Tools, Messages: f.Limits.Messages, Values: f.Limits.Values,
		},
		Timeouts: gateway.Timeouts{
			Connect: f.Timeouts.Connect.value, FirstByte: f.Timeouts.FirstByte.value, Idle: f.Timeouts.Idle.value,
			Write: f.Timeouts.Write.value, KeepAlive: f.Timeouts.KeepAlive.value,
			Request: f.Timeouts.Request.value, Retry: f.Timeouts.Retry.value,
		},
	}
	if n := f.Limits.Retries; n != nil {
		opts.Limits.Retries = cmp.Or(*n, -1) // 0 means the default there
	}
	if err := f.checkLimits(); err != nil {
		return gateway.Options{}, err
	}
	var err error
	if opts.Token, err = in.secret("token_env", f.TokenEnv); err != nil {
		return gateway.Options{}, err
	}
	if len(f.Models) == 0 {
		return gateway.Options{}, errors.New("models: the file has none; add a table [models.NAME]")
	}
	taken := map[string]string{} // the model in the file for each name
	for _, name := range slices.Sorted(maps.Keys(f.Models)) {
		t, err := f.target(name, in)
		if err != nil {
			return gateway.Options{}, err
		}
		for _, n := range t.Names {
			other, ok := taken[n]
			switch {
			case ok && n == "*":
				return gateway.Options{}, fmt.Errorf("models.%s.default: models.%s is already the default", name, other)
			case ok && other != name:
				return gateway.Options{}, fmt.Errorf("models.%s: models.%s already has the name %q", name, other, n)
			}
			taken[n] = name
		}
		opts.Targets = append(opts.Targets, t)
	}
	return opts, opts.Check()
}

// checkLimits rejects invalid numbers.
func (f *file) checkLimits() error {
	for name, n := range map[string]int64{
		"request_bytes": f.Limits.RequestBytes, "event_bytes": int64(f.Limits.EventBytes), "answer_bytes": f.Limits.AnswerBytes, "concurrent": int64(f.Limits.Concurrent),
		"tools": int64(f.Limits.Tools), "messages": int64(f.Limits.Messages), "values": int64(f.Limits.Values),
	} {
		if n < 0 {
			return fmt.Errorf("limits.%s: %d is not a valid limit", name, n)
		}
	}
	for name, m := range f.Models {
		if m.MaxTokens < 0 || m.Reask < 0 {
			return fmt.Errorf("models.%s: max_tokens and reask must be 0 or more", name)
		}
	}
	return nil
}

// target returns the target for a model in the file.
func (f *file) target(name string, in Context) (gateway.Target, error) {
	m := f.Models[name]
	up, ok := f.Upstreams[m.Upstream]
	switch {
	case !ok && m.Upstream == "":
		return gateway.Target{}, fmt.Errorf("models.%s: it names no upstream", name)
	case !ok:
		return gateway.Target{}, fmt.Errorf("models.%s.upstream: there is no [upstreams.%s]", name, m.Upstream)
	case up.URL.value == "":
		return gateway.Target{}, fmt.Errorf("upstreams.%s.url: missing", m.Upstream)
	}
	t := gateway.Target{
		Names: append([]string{name}, m.Aliases...), Upstream: up.URL.value, Wire: up.Wire.value, PassKey: up.PassKey,
		Model: cmp.Or(m.Model, name), StartInReasoning: m.StartInReasoning, Prompted: m.Prompted, Profile: m.Profile.value, MaxTokens: m.MaxTokens,
		Constrain: m.Constrain.value, Reask: m.Reask,
	}
	if m.Default {
		t.Names = append(t.Names, "*")
	}
	var err error
	if t.Key, err = in.secret("upstreams."+m.Upstream+".key_env", up.KeyEnv); err != nil {
		return t, err
	}
	if m.Dialect == "" {
		t.Dialect, _ = dialect.ForModel(t.Model)
	} else if t.Dialect, err = in.Dialect(m.Dialect); err != nil {
		return t, fmt.Errorf("models.%s.dialect: %w", name, err)
	}
	return t, nil
}

// secret returns the key in the variable that a field names.
func (in Context) secret(field, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	value := in.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("%s: the environment variable %s is not set", field, name)
	}
	return value, nil
}

// placed adds the line to an error.
func placed(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("line %d: there is no field %s", line, path(unknown.Errors[0].Key()))
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		if key := path(wrong.Key()); key != "" {
			return fmt.Errorf("line %d: %s: %w", line, key, err)
		}
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

func path(key toml.Key) string {
	var out []byte
	for i, part := range key {
		if i > 0 {
			out = append(out, '.')
		}
		out = append(out, part...)
	}
	return string(out)
}
