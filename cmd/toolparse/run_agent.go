package main

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/agent/definition"
)

// define sets what no flag sets from an agent's definition.
func (f *runFlags) define(given func(flag string) bool, providers []string) error {
	text, err := os.ReadFile(f.agent)
	if err != nil {
		return err
	}
	d, err := definition.Read(string(text))
	if err == nil {
		f.prompt, err = d.System(f.values)
	}
	if err != nil {
		return usagef("%s: %s", f.agent, strings.TrimPrefix(err.Error(), "definition: "))
	}
	if d.Provider != "" && !slices.Contains(providers, d.Provider) {
		return usagef("%s: there is no provider %q; there are %s", f.agent, d.Provider, strings.Join(providers, ", "))
	}
	take := func(flag string, to *string, value string) {
		if !given(flag) {
			*to = cmp.Or(value, *to)
		}
	}
	take("provider", &f.provider, d.Provider)
	take("model", &f.model, d.Model)
	take("dialect", &f.dialect, d.Dialect)
	if !given("max-tokens") {
		f.maxTokens = cmp.Or(d.MaxTokens, f.maxTokens)
	}
	if !given("max-turns") {
		f.maxTurns = cmp.Or(d.MaxTurns, f.maxTurns)
	}
	if !given("tools") && d.Tools != nil {
		f.tools, f.noTools = d.Tools, len(d.Tools) == 0
	}
	f.temperature = d.Temperature
	return nil
}
