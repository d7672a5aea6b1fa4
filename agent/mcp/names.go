package mcp

import (
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/wire"
)

// names gives the tools of all servers unique names that every provider accepts:
// SERVER__TOOL. A tool keeps the name that it once had.
type names struct {
	mu      sync.Mutex
	renames *wire.Renames
	sources map[string]toolKey // the tool for each source of renames
}

// toolKey identifies a tool by its server and the server's name for it.
type toolKey struct{ server, tool string }

func newNames() *names {
	return &names{renames: wire.NewRenames(wire.CommonNames()), sources: map[string]toolKey{}}
}

// maxNames limits the names, in case a server changes its list again and again.
const maxNames = 100_000

// of returns the name of a tool, or "" if there are too many.
func (n *names) of(key toolKey) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	plain := key.server + "__" + key.tool
	for _, source := range []string{
		legal(key.server) + "__" + legal(key.tool),
		plain,
		key.server + "\x00" + key.tool, // a__b and c collide with a and b__c
	} {
		owner, taken := n.sources[source]
		if taken && owner != key {
			continue
		}
		if !taken && len(n.sources) == maxNames {
			return ""
		}
		n.sources[source] = key
		name, _ := n.renames.Rename(source)
		return name
	}
	return "" // not reached: nobody else has the last source
}

// legal replaces characters that some provider rejects.
func legal(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
}
