package parser

import (
	"crypto/rand"
	"strconv"
)

// idSource makes segment ids: seg_1, seg_2, ... or random ones.
type idSource struct {
	prefix string
	random bool
	n      int
	seen   map[string]bool // random ids handed out
}

func newIDSource(prefix string, random bool) idSource {
	return idSource{prefix: prefix, random: random}
}

// randomLength is what Mistral's wire demands: exactly nine alphanumerics.
const randomLength = 9

func (s *idSource) next() string {
	if !s.random {
		s.n++
		var text [64]byte
		return string(strconv.AppendInt(append(append(text[:0], s.prefix...), "seg_"...), int64(s.n), 10))
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
