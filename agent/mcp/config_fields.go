package mcp

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// field returns the first of several members that exists, with its name.
func field(v *jsonvalue.Value, names []string) (*jsonvalue.Value, string) {
	for _, name := range names {
		if member := v.Get(name); member != nil && member.Kind != jsonvalue.Null {
			return member, name
		}
	}
	return nil, ""
}

func (r *reader) text(v *jsonvalue.Value, to *string, names ...string) (err error) {
	member, name := field(v, names)
	if member == nil {
		return nil
	}
	if !member.Is(jsonvalue.String) {
		return r.fail(name, "expected a string, found %s", member.Kind)
	}
	*to, err = r.expand(name, member.Text)
	return err
}

func (r *reader) list(v *jsonvalue.Value, to *[]string, names ...string) error {
	member, name := field(v, names)
	if member == nil {
		return nil
	}
	if !member.Is(jsonvalue.Array) {
		return r.fail(name, "expected a list of strings, found %s", member.Kind)
	}
	for _, element := range member.List {
		if !element.Is(jsonvalue.String) {
			return r.fail(name, "expected strings, found %s", element.Kind)
		}
		text, err := r.expand(name, element.Text)
		if err != nil {
			return err
		}
		*to = append(*to, text)
	}
	return nil
}

// members reads an object of strings. Its values count as secrets, because they often are
// keys.
func (r *reader) members(v *jsonvalue.Value, to *map[string]string, name string) error {
	member, _ := field(v, []string{name})
	if member == nil {
		return nil
	}
	if !member.Is(jsonvalue.Object) {
		return r.fail(name, "expected an object of strings, found %s", member.Kind)
	}
	*to = map[string]string{}
	for i, key := range member.Keys {
		value := member.List[i]
		text := value.Text
		switch value.Kind {
		case jsonvalue.String, jsonvalue.Number, jsonvalue.Bool:
		default:
			return r.fail(name+"."+key, "expected a string, found %s", value.Kind)
		}
		if key == "" || strings.ContainsAny(key, "=\x00\r\n") {
			return r.fail(name, "%q is not a valid name", key)
		}
		text, err := r.expand(name+"."+key, text)
		if err != nil {
			return err
		}
		if strings.ContainsAny(text, "\x00") || name == "headers" && strings.ContainsAny(text, "\r\n") {
			return r.fail(name+"."+key, "the value has control characters")
		}
		(*to)[key] = text
		r.secret(text)
		for _, word := range strings.Fields(text) { // "Bearer TOKEN"
			r.secret(word)
		}
	}
	return nil
}

// duration reads a time limit. Some clients write seconds, others milliseconds: a number
// of more than an hour in seconds is milliseconds.
func (r *reader) duration(v *jsonvalue.Value, to *time.Duration, name string) error {
	member, _ := field(v, []string{name})
	if member == nil {
		return nil
	}
	var n float64
	if err := json.Unmarshal([]byte(member.Raw), &n); err != nil || n <= 0 || n > 1e9 {
		return r.fail(name, "expected a number of seconds, or of milliseconds above 3600")
	}
	unit := time.Second
	if n > 3600 {
		unit = time.Millisecond
	}
	*to = time.Duration(n * float64(unit))
	return nil
}

// variable matches variables, and text that looks like one.
var variable = regexp.MustCompile(`\$\{(?:([A-Za-z]+):)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// secretName matches names of variables that hold secrets.
var secretName = regexp.MustCompile(`(?i)key|token|secret|pass|auth|credential|cookie`)

// expand expands the variables in a text.
func (r *reader) expand(field, text string) (string, error) {
	var failed error
	out := variable.ReplaceAllStringFunc(text, func(match string) string {
		parts := variable.FindStringSubmatch(match)
		source, name := parts[1], parts[2]
		if source != "" && source != "env" {
			failed = r.fail(field, "%s is not known here; use ${env:NAME}, or write the value", match)
			return ""
		}
		if value := r.getenv(name); value != "" {
			if secretName.MatchString(name) {
				r.secret(value)
			}
			return value
		}
		if parts[3] == "" {
			failed = r.fail(field, "the environment variable %s is not set; set it, or write ${%s:-default}", name, name)
		}
		return strings.TrimPrefix(parts[3], ":-")
	})
	return out, failed
}

// minSecret is the length from which a text is hidden; shorter ones occur everywhere.
const minSecret = 6

func (r *reader) secret(text string) {
	if len(text) >= minSecret {
		r.secrets = append(r.secrets, text)
	}
}

// hide removes the server's secrets from a text.
func (c *Config) hide(text string) string {
	for _, secret := range c.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return text
}
