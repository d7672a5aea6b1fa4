package mcp

import (
	"strings"
	"sync"

	"github.com/toolparse/toolparse/format/chat"
)

// names gives the tools of all servers names that are unique, and legal for every provider:
// SERVER__TOOL. A tool that had a name keeps it.
type names struct {
	mu      sync.Mutex
	renames *chat.Renames
	sources map[string]toolKey // which tool a source of renames stands for
}

// toolKey is a tool as its server has it.
type toolKey struct{ server, tool string }

func newNames() *names {
	// The strictest of the providers': 64 characters, and no digit at the beginning.
	return &names{renames: chat.NewRenames(chat.Rule{Max: 64, OtherChars: "_-", FirstChars: "_"}), sources: map[string]toolKey{}}
}

// maxNames bounds the names that are remembered, of servers that change their list on and on.
const maxNames = 100_000

// of returns the name of a tool, "" where there are too many.
func (n *names) of(key toolKey) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	plain := key.server + "__" + key.tool
	for _, source := range []string{
		legal(key.server) + "__" + legal(key.tool),
		plain,
		key.server + "\x00" + key.tool, // a__b and c, where there are a and b__c
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
	return "" // not reached: the last source has no other owner
}

// legal replaces the characters that some provider refuses.
func legal(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
}
