package toolcall

// Limits bound what hostile input can make a parser hold or emit. Fields of zero or less
// mean the defaults. A call that exceeds CallBytes, Depth or Calls, or a value beyond
// HeldBytes that cannot stream, ends as [Rejected] with the reason. Anything that exceeds
// HeldBytes or BlankBytes before it is certain to be a call is text.
type Limits struct {
	CallBytes  int // bytes of one call, as written; default 64 MiB
	HeldBytes  int // bytes that are held back until their meaning is certain; default 4 MiB
	BlankBytes int // bytes of white space held back between markers; default 64 KiB
	Depth      int // nesting inside a call; default 128
	Calls      int // calls in one stream; default 10,000
}

// Range is a range of bytes in a text: from offset Start up to, but excluding, End.
type Range struct{ Start, End int64 }
