package parser

// body is what the body machines of a call share.
type body struct {
	dialect *Dialect
	name    string      // of the tool, from the opening tag
	opened  int64       // stream offset after the opening tag
	extra   []attribute // arguments that the opening tag gave

	look    look
	lit     literal
	value   value
	phase   bodyPhase
	closer  string    // of a raw body
	tagged  bool      // the closer is a tag: blanks and a > follow it
	markers [2]string // around raw content
	marked  bool      // the content is between them
	done    bool      // the arguments are complete, what follows is passed over
	comment literal   // the end of a comment between the arguments and the closer
	astray  bool      // text stands between the arguments and the closer
	empty   bool      // the closer ends arguments that were never given
}

// bodyPhase is where a body machine is.
type bodyPhase uint8

const (
	bodyStart  bodyPhase = iota // before the content: a raw marker may come
	bodyJSON                    // before the content: arguments, or the closer
	bodyText                    // in the content
	bodyEnding                  // in what may be the raw end marker
	bodyGap                     // in blanks after it
	bodyCloser                  // in what may be the closer
	bodyAngle                   // after a closer that is a tag, up to its >
)

// reset makes it ready for another call of d. Its memory is kept.
func (b *body) reset(d *Dialect) {
	*b = body{
		dialect: d,
		look:    look{name: b.look.name[:0]},
		value:   value{text: b.value.text[:0], kept: b.value.kept[:0]},
	}
}
