package parser

// Limits bound what hostile input can make a Parser hold or emit. Fields of zero
// or less mean the defaults. A call that goes over CallBytes, Depth or Calls, or a
// value over HeldBytes that cannot stream, ends [toolcall.Rejected] with the
// reason; what is over HeldBytes or BlankBytes before it is sure to be a call is
// text.
type Limits struct {
	CallBytes  int // of one call, as written; default 64 MiB
	HeldBytes  int // held back until it is sure what they are; default 4 MiB
	BlankBytes int // of white space held back between markers; default 64 KiB
	Depth      int // of nesting inside a call; default 128
	Calls      int // in one stream; default 10,000
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.CallBytes, 64<<20)
	def(&l.HeldBytes, 4<<20)
	def(&l.BlankBytes, 64<<10)
	def(&l.Depth, 128)
	def(&l.Calls, 10_000)
	return l
}
