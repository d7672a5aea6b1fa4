package all

import (
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/syntax"
)

// TestComplete checks that every syntax has a reader, a writer, a grammar and a description, and
// checks its columns.
func TestComplete(t *testing.T) {
	for form, s := range Syntaxes() {
		a := form
		if s == nil || s.New == nil || s.Write == nil || s.Grammar == nil || s.About == nil {
			t.Errorf("%+v lacks a reader, a writer, a grammar or words", a)
			continue
		}
		if s.New(syntax.Limits{}) == nil {
			t.Errorf("%+v makes no machine", a)
		}
		if s.Fault == nil && s.Compile == nil {
			t.Errorf("%+v neither checks nor compiles its columns", a)
		}
	}
	if got := Of(&dialect.Args{Form: dialect.ArgsJSON}); got != nil {
		t.Errorf("JSON has a machine: %+v", got)
	}
	if got := Of(&dialect.Args{Form: "no such form"}); got != nil {
		t.Errorf("an unknown form has a machine: %+v", got)
	}
}
