package pairs

import (
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// wrapState tracks a parameter that wraps all arguments in one JSON object.
type wrapState uint8

const (
	wrapsNothing wrapState = iota // no such parameter so far
	wrapsOpen                     // its value is being read
	wrapsAll                      // its members are the arguments
)

// openMember begins the member key and returns the schema of its value. A wrapper's value
// is held until it is complete, because it may not be an object.
func (m *machine) openMember(key, kind string, a *dialect.Args) *schema.Schema {
	switch s := m.Schema(); {
	case m.wraps == wrapsAll:
		m.Skip()
		return nil
	case m.Members() == 0 && slices.Contains(a.Unwrap, key) && s.Closed() && !s.Declares(key):
		m.wraps, m.wrapper = wrapsOpen, key
		m.OpenAside()
		return schema.Any
	}
	m.Open(key)
	return m.Schema().Property(key).ForWrittenType(kind, a.QuotesStrings())
}

// closeMember ends the open member, whose value has ended and used these tolerances.
func (m *machine) closeMember(used toolcall.Tolerances) {
	if m.args.Python != "" {
		used &^= syntax.PythonForm
	}
	m.Call.Tolerate(used)
	if m.wraps != wrapsOpen {
		m.Close()
		return
	}
	key := m.wrapper // which may be a part of the input
	m.wraps, m.wrapper = wrapsNothing, ""
	text := m.CloseAside()
	if text[0] != '{' {
		m.Open(key)
		m.Write(text)
		m.Close()
		return
	}
	m.wraps = wrapsAll
	m.Call.Tolerate(toolcall.JSONBody)
	m.All(text)
}
