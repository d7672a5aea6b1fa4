package parser

import (
	"crypto/rand"
	"strconv"
)

// idSource generates segment ids: seg_1, seg_2 and so on, or random ones.
type idSource struct {
	prefix string
	random bool
	n      int
	ahead  string          // the next ids, concatenated
	seen   map[string]bool // the random ids so far
}

func newIDSource(prefix string, random bool) idSource {
	return idSource{prefix: prefix, random: random}
}

// randomLength is what Mistral's wire requires: exactly nine alphanumerics.
const randomLength = 9

const seg = "seg_"

// firstIDs are the first ids without a prefix, concatenated. Most streams need no others.
const firstIDs = "seg_1seg_2seg_3seg_4seg_5seg_6seg_7seg_8seg_9"

// maxAhead is how many ids are generated at once.
const maxAhead = 32

// makeAhead generates the next ids as one string. Their number grows with the ids used so
// far, so that a short stream wastes few.
func (s *idSource) makeAhead() {
	if s.prefix == "" && s.n == 0 {
		s.ahead = firstIDs
		return
	}
	count := min(max(s.n, 1), maxAhead)
	text := make([]byte, 0, count*(len(s.prefix)+len(seg)+len("12345")))
	for n := range count {
		text = strconv.AppendInt(append(append(text, s.prefix...), seg...), int64(s.n+n+1), 10)
	}
	s.ahead = string(text)
}

// next returns the next id.
func (s *idSource) next() string {
	if !s.random {
		if s.ahead == "" {
			s.makeAhead()
		}
		s.n++
		end := len(s.prefix) + len(seg)
		for n := s.n; n > 0; n /= 10 {
			end++
		}
		id := s.ahead[:end]
		s.ahead = s.ahead[end:]
		return id
	}
	for {
		id := s.prefix + rand.Text()[:randomLength]
		if !s.seen[id] {
			if s.seen == nil {
				s.seen = make(map[string]bool)
			}
			s.seen[id] = true
			return id
		}
	}
}
