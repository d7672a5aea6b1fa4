// Package vectorgen generates messages of a model, with the tools that they call, for
// any dialect, and makes conformance vectors of them: clean ones, as package internal/text
// writes them, and ones that are broken as models and servers break them.
//
// All choices come from a [Source], so that results are reproducible from a seed, and
// property tests can shrink them.
package vectorgen

import (
	"errors"
	"hash/fnv"
	"math/rand/v2"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
)

// A Source makes the choices. [math/rand/v2.Rand] is one.
type Source interface {
	// IntN returns a number in [0, n). n is at least 1.
	IntN(n int) int
}

// NewSource returns the source for vector number n of a dialect under a seed. It is
// independent of all other vectors.
func NewSource(seed uint64, dialect string, n int) Source {
	h := fnv.New64a()
	h.Write([]byte(dialect))
	return rand.New(rand.NewPCG(seed, h.Sum64()+uint64(n)))
}

// maxTries bounds how many messages are tried before a plain one is taken, because not
// every dialect can write every message.
const maxTries = 20

// Written generates a message that d can write, and returns it with its written form.
func Written(src Source, d *dialect.Dialect) (Case, string, error) {
	for try := range maxTries {
		c := New(src, d, chance(src, 3) || try == maxTries-1)
		w, err := text.NewWriter(d, text.Options{Tools: c.Tools})
		if err != nil {
			return c, "", err
		}
		written, err := w.Append(nil, c.Message)
		if err == nil {
			return c, string(written), nil
		}
		if _, ok := errors.AsType[*text.Error](err); !ok || c.Plain {
			return c, "", err
		}
	}
	return Case{}, "", errors.New("vectorgen: a plain message could not be written")
}

// Clean generates a vector that expects the message that was written.
func Clean(src Source, d *dialect.Dialect) (conform.Vector, error) {
	c, input, err := Written(src, d)
	if err != nil {
		return conform.Vector{}, err
	}
	return c.vector(d, input), nil
}

// vector returns the vector of a case that was written as input.
func (c Case) vector(d *dialect.Dialect, input string) conform.Vector {
	m, calls := c.Message, []conform.Call{}
	for _, call := range m.Calls {
		calls = append(calls, conform.Call{Name: call.Name, Arguments: call.Arguments})
	}
	return conform.Vector{
		Dialect: d.Name, Tier: conform.TierCore, Tools: conform.ToolsOf(c.Tools), Input: input,
		Expect:  conform.Expectation{Text: &m.Text, Reasoning: &m.Reasoning, Calls: &calls},
		Compare: conform.Comparison{Text: conform.Collapsed, Reasoning: conform.Collapsed, Args: conform.ArgsJSON},
	}
}
