package parser

import (
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/toolcall"
)

// withDefaults returns limits with the default for every field that is not set.
func withDefaults(l toolcall.Limits) toolcall.Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.CallBytes, native.MaxBytes)
	def(&l.HeldBytes, 4<<20)
	def(&l.BlankBytes, 64<<10)
	def(&l.Depth, native.MaxDepth)
	def(&l.Calls, native.MaxCalls)
	return l
}
