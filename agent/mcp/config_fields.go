package mcp

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// member returns the first of several members that is there, with its name, or nil. It fails
// if that is not of a kind.
func (r *reader) member(v *jsonvalue.Value, kind jsonvalue.Kind, what string, names ...string) (*jsonvalue.Value, string, error) {
	for _, name := range names {
		switch member := v.Get(name); {
		case member == nil || member.Kind == jsonvalue.Null:
		case member.Is(kind):
			return member, name, nil
		default:
			return nil, name, r.fail(name, "expected %s, found %s", what, member.Kind)
		}
	}
	return nil, "", nil
}

func (r *reader) text(v *jsonvalue.Value, to *string, names ...string) error {
	member, name, err := r.member(v, jsonvalue.String, "a string", names...)
	if member == nil {
		return err
	}
	*to, err = r.expand(name, member.Text)
	return err
}

func (r *reader) list(v *jsonvalue.Value, to *[]string, names ...string) error {
	member, name, err := r.member(v, jsonvalue.Array, "a list of strings", names...)
	if member == nil {
		return err
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
	member, _, err := r.member(v, jsonvalue.Object, "an object of strings", name)
	if member == nil {
		return err
	}
	*to = map[string]string{}
	for i, key := range member.Keys {
		value := member.List[i]
		switch value.Kind {
		case jsonvalue.String, jsonvalue.Number, jsonvalue.Bool:
		default:
			return r.fail(name+"."+key, "expected a string, found %s", value.Kind)
		}
		if key == "" || strings.ContainsAny(key, "=\x00\r\n") {
			return r.fail(name, "%q is not a valid name", key)
		}
		text, err := r.expand(name+"."+key, value.Text)
		if err != nil {
			return err
		}
		if strings.ContainsAny(text, "\x00") || name == "headers" && strings.ContainsAny(text, "\r\n") {
			return r.fail(name+"."+key, "the value has control characters")
		}
		(*to)[key] = text
		r.secret(text)
		for word := range strings.FieldsSeq(text) { // "Bearer TOKEN"
			r.secret(word)
		}
	}
	return nil
}

// duration reads a time limit. Some clients write seconds, others milliseconds: a number
// of more than an hour in seconds is milliseconds.
func (r *reader) duration(v *jsonvalue.Value, to *time.Duration, name string) error {
	member := v.Get(name)
	if member == nil || member.Kind == jsonvalue.Null {
		return nil
	}
	n, err := strconv.ParseFloat(member.Raw, 64)
	if err != nil || n <= 0 || n > 1e9 {
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
