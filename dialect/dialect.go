// Package dialect lists the dialects in which models write reasoning and tool calls in their
// text, and guesses in which of them a text is written.
//
// [Named] finds a dialect by its name, [ForModel] by the model that writes it, and [Detect] by
// a reply or the source of a chat template. [Read] reads a dialect of your own.
package dialect

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
)

// A Dialect describes, as data, how a model writes reasoning and tool calls in its text, and
// how a prompt shows it the tools: the same value is read and written. Marshal it to JSON for
// all of its columns, which docs/dialects.md explains; [Read] reads that form.
//
// A Dialect must not be changed, and is safe for concurrent use.
type Dialect = dialect.Dialect

// UnknownError is the error of [Named] for a name that no dialect has. It names similar ones.
type UnknownError = dialect.UnknownError

// All returns the built-in dialects in a fixed order: first those of toolparse's own, which
// any model can be taught, then those that models are trained on. The caller owns the slice.
func All() []*Dialect { return dialect.All() }

// Named returns the dialects that a name stands for, ignoring case: one for a name or an
// alias; for "auto" all that a text of unknown dialect may use, in the order in which they are
// tried; and for "json" the JSON form that a provider's models are taught, or all such forms if
// provider is "". For any other name it returns an [*UnknownError]. The caller owns the slice.
func Named(name, provider string) ([]*Dialect, error) { return dialect.Named(name, provider) }

// ForModel returns the dialect of a model by its id, as hubs, servers and files write it, such
// as "qwen3-coder:30b". The dialect of models that call tools only natively is api_tool_call. ok
// is false for an unknown model.
func ForModel(id string) (d *Dialect, ok bool) { return dialect.ForModel(id) }

// Read reads a dialect from JSON, in the form in which a [Dialect] is marshalled and "toolparse
// dialects --json" prints the built-in ones. Unknown fields, values of the wrong type and
// combinations that cannot be parsed are errors that name the field.
func Read(data []byte) (*Dialect, error) { return parser.ReadDialect(data) }
