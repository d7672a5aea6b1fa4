package codec

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/extra"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// NumberOf reads a setting that is a number, as it is written. What is none is
// kept as a member of in.
func NumberOf(keep *extra.Keeper, in string, key []byte, v payload.Value) json.Number {
	if v.Kind == payload.Number {
		return json.Number(v.Raw)
	}
	keep.KeepSet(in, key, v)
	return ""
}

// Decimal writes a member that is a number as it is written, unless it is "".
// A caller may have given what is none.
func (w *Writer) Decimal(name string, n json.Number) {
	switch {
	case n == "":
	case !json.Valid([]byte(n)):
		w.Log.Add(carry.ForeignExtra, name, string(n)+" is left out: not a number")
	default:
		w.Member(name, []byte(n))
	}
}
