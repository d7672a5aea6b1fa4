package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/dialect"
)

// configFile is the content of a file for [ReadConfig].
type configFile struct {
	TokenEnv  string         `toml:"token_env"`
	Hosts     []string       `toml:"hosts"`
	Origins   []string       `toml:"origins"`
	Limits    Limits         `toml:"limits"`
	Timeouts  configTimeouts `toml:"timeouts"`
	Upstreams map[string]configUpstream
	Models    map[string]configModel
}

type configTimeouts struct {
	Connect   configDuration `toml:"connect"`
	FirstByte configDuration `toml:"first_byte"`
	Idle      configDuration `toml:"idle"`
	Write     configDuration `toml:"write"`
	KeepAlive configDuration `toml:"keep_alive"`
	Request   configDuration `toml:"request"`
	Retry     configDuration `toml:"retry"`
}

// configUpstream is a server with models.
type configUpstream struct {
	URL     configURL  `toml:"url"`
	Wire    configWire `toml:"wire"`
	KeyEnv  string     `toml:"key_env"`
	PassKey bool       `toml:"pass_key"`
}

// configModel is a model that clients can use.
type configModel struct {
	Upstream         string                 `toml:"upstream"`
	Model            string                 `toml:"model"`
	Aliases          []string               `toml:"aliases"`
	Default          bool                   `toml:"default"`
	Dialect          string                 `toml:"dialect"`
	StartInReasoning bool                   `toml:"start_in_reasoning"`
	Prompted         bool                   `toml:"prompted"`
	Profile          configWord[Profile]    `toml:"profile"`
	MaxTokens        int                    `toml:"max_tokens"`
	Constrain        configWord[Constraint] `toml:"constrain"`
	Reask            int                    `toml:"reask"`
}

// ReadConfig reads the options of a gateway from a TOML file: upstreams, the models on them,
// and how to change requests for each model.
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
// The file contains no keys, only the names of environment variables that hold them, whose
// values getenv returns; named returns the dialect with a name. An error names the line if
// the file cannot be parsed, and otherwise the field.
func ReadConfig(data []byte, getenv func(name string) string, named func(name string) (*dialect.Dialect, error)) (Options, error) {
	f := configFile{Limits: Limits{Retries: defaultRetries}}
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return Options{}, placed(err)
	}
	if err := f.checkNumbers(); err != nil {
		return Options{}, err
	}
	t := &f.Timeouts
	opts := Options{Hosts: f.Hosts, Origins: f.Origins, Limits: f.Limits, Timeouts: Timeouts{
		Connect: t.Connect.value, FirstByte: t.FirstByte.value, Idle: t.Idle.value, Write: t.Write.value,
		KeepAlive: t.KeepAlive.value, Request: t.Request.value, Retry: t.Retry.value,
	}}
	opts.Limits.Retries = cmp.Or(opts.Limits.Retries, -1) // 0 means the default there
	var err error
	if opts.Token, err = secret(getenv, "token_env", f.TokenEnv); err != nil {
		return Options{}, err
	}
	if len(f.Models) == 0 {
		return Options{}, errors.New("models: the file has none; add a table [models.NAME]")
	}
	taken := map[string]string{} // the model in the file for each name
	for _, name := range slices.Sorted(maps.Keys(f.Models)) {
		t, err := f.target(name, getenv, named)
		if err != nil {
			return Options{}, err
		}
		for _, n := range t.Names {
			other, ok := taken[n]
			switch {
			case ok && n == "*":
				return Options{}, fmt.Errorf("models.%s.default: models.%s is already the default", name, other)
			case ok && other != name:
				return Options{}, fmt.Errorf("models.%s: models.%s already has the name %q", name, other, n)
			}
			taken[n] = name
		}
		opts.Targets = append(opts.Targets, t)
	}
	return opts, opts.Check()
}

// checkNumbers rejects invalid numbers.
func (f *configFile) checkNumbers() error {
	l := &f.Limits
	for name, n := range map[string]int64{
		"request_bytes": l.RequestBytes, "event_bytes": int64(l.EventBytes), "answer_bytes": l.AnswerBytes, "concurrent": int64(l.Concurrent),
		"tools": int64(l.Tools), "messages": int64(l.Messages), "values": int64(l.Values),
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
func (f *configFile) target(name string, getenv func(string) string, named func(string) (*dialect.Dialect, error)) (Target, error) {
	m := f.Models[name]
	up, ok := f.Upstreams[m.Upstream]
	switch {
	case !ok && m.Upstream == "":
		return Target{}, fmt.Errorf("models.%s: it names no upstream", name)
	case !ok:
		return Target{}, fmt.Errorf("models.%s.upstream: there is no [upstreams.%s]", name, m.Upstream)
	case up.URL.value == "":
		return Target{}, fmt.Errorf("upstreams.%s.url: missing", m.Upstream)
	}
	t := Target{
		Names: append([]string{name}, m.Aliases...), Upstream: up.URL.value, Wire: up.Wire.value, PassKey: up.PassKey,
		Model: cmp.Or(m.Model, name), StartInReasoning: m.StartInReasoning, Prompted: m.Prompted, Profile: m.Profile.value, MaxTokens: m.MaxTokens,
		Constrain: m.Constrain.value, Reask: m.Reask,
	}
	if m.Default {
		t.Names = append(t.Names, "*")
	}
	var err error
	if t.Key, err = secret(getenv, "upstreams."+m.Upstream+".key_env", up.KeyEnv); err != nil {
		return t, err
	}
	if m.Dialect == "" {
		t.Dialect, _ = dialect.ForModel(t.Model)
	} else if t.Dialect, err = named(m.Dialect); err != nil {
		return t, fmt.Errorf("models.%s.dialect: %w", name, err)
	}
	return t, nil
}

// secret returns the key in the variable that a field names.
func secret(getenv func(string) string, field, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	value := getenv(name)
	if value == "" {
		return "", fmt.Errorf("%s: the environment variable %s is not set", field, name)
	}
	return value, nil
}

// placed adds the line to an error.
func placed(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("line %d: there is no field %s", line, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		if key := strings.Join(wrong.Key(), "."); key != "" {
			return fmt.Errorf("line %d: %s: %w", line, key, err)
		}
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

// Types that are parsed from texts, so that errors have a line number.

type configDuration struct{ value time.Duration }

func (d *configDuration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil || value <= 0 {
		return fmt.Errorf("%q is not a duration like 30s or 5m", text)
	}
	d.value = value
	return nil
}

type configURL struct{ value string }

func (u *configURL) UnmarshalText(text []byte) error {
	u.value = string(text)
	return checkURL(u.value)
}

type configWire struct{ value format.Wire }

func (w *configWire) UnmarshalText(text []byte) error {
	if w.value = format.Wire(text); !slices.Contains(format.Wires(), w.value) {
		return fmt.Errorf("unknown wire %q, want one of %v", text, format.Wires())
	}
	return nil
}

// configWord is one of the words that its type lists.
type configWord[T interface {
	~string
	known() []T
}] struct{ value T }

func (w *configWord[T]) UnmarshalText(text []byte) error {
	w.value = T(text)
	if known := w.value.known(); !slices.Contains(known, w.value) {
		return fmt.Errorf("%q is none of %v", text, known)
	}
	return nil
}
