package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent/definition"
)

// define sets what no flag sets from an agent's definition.
func (c *cli) define(f *runFlags, isSet func(flag string) bool, providers []string) error {
	text, err := c.readFile(f.agent)
	if err != nil {
		return err
	}
	d, err := definition.Read(string(text))
	if err == nil {
		f.config.System, err = d.System(f.values)
	}
	if err != nil {
		return usagef("%s: %v", f.agent, usageOf("definition", err))
	}
	if d.Provider != "" && !slices.Contains(providers, d.Provider) {
		return usagef("%s: there is no provider %q; want one of %s", f.agent, d.Provider, strings.Join(providers, ", "))
	}
	take(isSet, "provider", &f.server.Wire, toolparse.Wire(d.Provider))
	take(isSet, "model", &f.server.Model, d.Model)
	take(isSet, "dialect", &f.dialect, d.Dialect)
	take(isSet, "max-tokens", &f.config.Request.MaxTokens, d.MaxTokens)
	take(isSet, "max-turns", &f.config.MaxTurns, d.MaxTurns)
	if !isSet("tools") && d.Tools != nil {
		f.tools, f.noTools = d.Tools, len(d.Tools) == 0
	}
	f.config.Request.Temperature = d.Temperature
	return nil
}

// take sets what a flag does not set, if there is a value.
func take[T comparable](isSet func(flag string) bool, flag string, to *T, value T) {
	if !isSet(flag) {
		*to = cmp.Or(value, *to)
	}
}
