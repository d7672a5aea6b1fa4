package jsonstream

import (
	"errors"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// Arguments reads the arguments of a call: an object, a string that contains one, or null or
// an empty string, which mean no arguments. With Text it also takes any other string. The zero
// value is ready to use, with the settings of Value; Reset prepares it for other arguments.
type Arguments struct {
	Value Scanner // the object
	Outer Scanner // the string around it, or null
	Form  Form
	Token func(Kind) // receives the tokens of the object, if it is not nil
	Text  Text       // receives a string that contains no object; if nil, such a string is broken
	Empty bool       // null or an empty string has come
	Cut   bool       // the string around the object ended before its closing brackets
}

// Text receives the content of a string.
type Text interface {
	Begin()
	Add(text string)
	End()
}

// Form says how arguments are wrapped.
type Form uint8

// The forms.
const (
	FormUnknown Form = iota // only blanks so far
	FormObject
	FormString
	FormText // a string that contains no object
	FormNull
)

// Progress is how much of the arguments has been read.
type Progress uint8

// The steps.
const (
	Unfinished Progress = iota // the input is used up, and more is needed
	Finished                   // they are complete
	Broken                     // not a JSON object; see Fault
)

// Reset prepares a for other arguments. It keeps the settings and the memory.
func (a *Arguments) Reset() {
	a.Value.Reset()
	a.Outer.Reset()
	a.Form, a.Empty, a.Cut = FormUnknown, false, false
}

// IsComplete reports whether the arguments are complete. Those that are still missing are not.
func (a *Arguments) IsComplete() bool {
	switch a.Form {
	case FormUnknown:
		return false
	case FormObject:
		return a.Value.Done()
	}
	return a.Outer.Done()
}

// WroteAll reports whether a whole object has been written, although its text may go on.
func (a *Arguments) WroteAll() bool { return a.Empty || a.Value.Done() }

// Tolerances returns the repairs so far.
func (a *Arguments) Tolerances() toolcall.Tolerances { return a.Value.Tolerances | a.Outer.Tolerances }

// Read reads in from offset i. With Finished, the offset that it returns is the one after the
// value.
func (a *Arguments) Read(in string, i int) (Progress, int) {
	if a.Form == FormUnknown {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return Unfinished, i
		}
		switch in[i] {
		case '{':
			a.Form = FormObject
		case '"', '\'':
			a.Form, a.Value.Stops = FormString, false
		case 'n', 'N':
			a.Form = FormNull
		default:
			return Broken, i
		}
	}
	if a.Form == FormObject {
		return a.object(in, i)
	}
	return a.wrapped(in, i)
}

// object reads the object itself.
func (a *Arguments) object(in string, i int) (Progress, int) {
	for {
		kind, next := a.Value.Next(in, i)
		i = next
		switch {
		case kind == Invalid:
			return Broken, i
		case kind == More && !a.Value.Done():
			return Unfinished, i
		case kind != More && a.Token != nil:
			a.Token(kind)
		}
		if a.Value.Done() {
			return Finished, i
		}
	}
}

// wrapped reads a string that contains the object, or null.
func (a *Arguments) wrapped(in string, i int) (Progress, int) {
	for {
		plain := i < len(in) && in[i] != '\\' && !a.Outer.InEscape()
		start := i
		kind, next := a.Outer.Next(in, i)
		i = next
		switch kind {
		case More:
			return Unfinished, i
		case StringStart:
		case StringPart:
			if at := a.part(a.Outer.Part); at >= 0 {
				if plain && len(a.Outer.Part) == i-start { // the part is a substring of in
					i = start + at
				}
				return Broken, i
			}
		case StringEnd:
			return a.stringEnds(), i
		case Scalar:
			if string(a.Outer.Text()) != "null" {
				return Broken, i
			}
			a.None()
			return Finished, i
		default:
			return Broken, i
		}
	}
}

// part reads a part of the string around the object. It returns the offset at which that
// breaks, or -1.
func (a *Arguments) part(part string) int {
	i := 0
	switch {
	case a.Form == FormText:
		a.Text.Add(part)
		return -1
	case !a.Value.Started():
		if i = lex.SkipBlanks(part, 0); i == len(part) {
			return -1
		}
		if part[i] == '{' {
			break
		}
		if a.Text == nil {
			return i
		}
		a.Form = FormText
		a.Text.Begin()
		a.Text.Add(part[i:])
		return -1
	}
	progress, i := a.object(part, i)
	if progress == Finished {
		i = lex.SkipBlanks(part, i)
	}
	if progress == Unfinished || progress == Finished && i == len(part) {
		return -1
	}
	return i
}

// stringEnds handles the closing quote of a string around the arguments.
func (a *Arguments) stringEnds() Progress {
	if a.Form == FormText {
		a.Text.End()
		return Finished
	}
	if !a.Value.Started() {
		a.None()
		return Finished
	}
	if a.Cut = !a.Value.Done(); a.Cut && !a.Value.Close() {
		return Broken
	}
	return Finished
}

// End ends the arguments at the end of their text, and reports whether they are complete
// only now: null has no closer.
func (a *Arguments) End() bool {
	if a.Form != FormNull || !a.Outer.Close() || string(a.Outer.Text()) != "null" {
		return false
	}
	a.None()
	return true
}

// None makes the arguments an object without members.
func (a *Arguments) None() {
	a.Empty = true
	a.Value.add("{}")
}

// Fault returns why the arguments are broken.
func (a *Arguments) Fault() (toolcall.Status, toolcall.Reason) {
	switch {
	case errors.Is(a.Value.Err, ErrDepth):
		return toolcall.Rejected, toolcall.ReasonTooDeep
	case errors.Is(a.Value.Err, ErrLong):
		return toolcall.Rejected, toolcall.ReasonTooMuchHeld
	case a.Value.Err == nil && a.Outer.Err == nil:
		return toolcall.Malformed, toolcall.ReasonNotAnObject
	}
	return toolcall.Malformed, toolcall.ReasonInvalidJSON
}
