package tools

import "slices"

// environment is a row of the availability matrix: a kind of environment, and what it
// offers of each group of categories.
type environment struct {
	name    string
	level   Availability // offers tools up to this one
	without []Category
}

var environments = []environment{
	{name: "minimal", level: Minimal},
	{name: "standard", level: Standard},
	{name: "full", level: Full},
	{name: "swe-agent", level: Standard, without: []Category{Network}},
	{name: "openhands", level: Full},
}

// has reports whether the environment offers a tool. It offers no variants: a model that
// sees two tools for one purpose picks one at random.
func (v *environment) has(e *entry) bool {
	return e.from <= v.level && e.like == "" && !slices.Contains(v.without, e.category)
}

func environmentOf(word string) *environment {
	if i := slices.IndexFunc(environments, func(v environment) bool { return v.name == word }); i >= 0 {
		return &environments[i]
	}
	return nil
}

func environmentNames() []string {
	var names []string
	for _, v := range environments {
		names = append(names, v.name)
	}
	return names
}
