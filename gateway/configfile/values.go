package configfile

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
)

// Types that are parsed from texts, so that errors have a line number.

type duration struct{ value time.Duration }

func (d *duration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil || value <= 0 {
		return fmt.Errorf("%q is not a duration like 30s or 5m", text)
	}
	d.value = value
	return nil
}

type address struct{ value string }

func (a *address) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not a URL like http://127.0.0.1:8080/v1", text)
	}
	a.value = string(text)
	return nil
}

type wire struct{ value format.Wire }

func (w *wire) UnmarshalText(text []byte) error {
	w.value = format.Wire(text)
	if !slices.Contains(format.Wires(), w.value) {
		return fmt.Errorf("unknown wire %q, want one of %v", text, format.Wires())
	}
	return nil
}

type profile struct{ value gateway.Profile }

func (p *profile) UnmarshalText(text []byte) error {
	p.value = gateway.Profile(text)
	return oneOf(p.value, gateway.ProfileTemplate, gateway.ProfileVendor)
}

type constraint struct{ value gateway.Constraint }

func (c *constraint) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		return nil
	}
	c.value = gateway.Constraint(text)
	return oneOf(c.value, gateway.ConstrainLlama, gateway.ConstrainVLLM, gateway.ConstrainSGLang)
}

func oneOf[T ~string](value T, words ...T) error {
	if slices.Contains(words, value) {
		return nil
	}
	return fmt.Errorf("%q is none of %v", value, words)
}
