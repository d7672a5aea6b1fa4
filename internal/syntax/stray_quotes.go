package syntax

// StrayQuotes are the quotes in the text of a string that should have been escaped, where a
// name and a sign precede the string of each argument. They show whether the string swallowed
// other arguments.
//
// Such quotes come in pairs, of which the first may follow the sign: html="<a href="x">". If
// one has no partner, it opens the string of a later argument, and the quote before that is
// missing: city="Oslo, zone="x". If the second one of a pair follows the sign, the first one
// is the end of this string, and what must follow it is missing: f(city="Oslo", g(zone="x").
// The later argument may also be that of another call.
type StrayQuotes struct {
	Sign bool // the last byte of the text is the sign

	any      bool
	odd      bool // their number is odd
	opens    bool // the first one of a pair, or one without a partner, follows a sign
	swallows bool // the second one of a pair does
}

// Add adds the quote that follows the text so far.
func (q *StrayQuotes) Add() {
	q.any, q.odd = true, !q.odd
	if q.odd {
		q.opens = q.opens || q.Sign
	} else {
		q.swallows = q.swallows || q.Sign
	}
	q.Sign = false
}

// Any reports whether there is such a quote.
func (q *StrayQuotes) Any() bool { return q.any }

// Swallow reports, at the end of the string, whether it contains other arguments.
func (q *StrayQuotes) Swallow() bool { return q.swallows || q.odd && q.opens }
