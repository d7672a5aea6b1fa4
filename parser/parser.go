// Package parser turns deltas into segment events.
//
// TODO: package documentation.
package parser

import "github.com/toolparse/toolparse"

// Parser is the push parser of one stream.
type Parser struct {
	n int
}

// New returns a parser for one stream. It fails on an invalid tool schema or dialect.
func New(opts Options) (*Parser, error) { return &Parser{}, nil }

// Feed parses the next chunk of text and appends the events to dst.
func (p *Parser) Feed(dst []toolparse.Event, chunk string) []toolparse.Event { return dst }

// FeedDelta parses the next delta of a provider's stream and appends the events to dst.
func (p *Parser) FeedDelta(dst []toolparse.Event, d toolparse.Delta) []toolparse.Event { return dst }

// Close ends the stream: what was held back is decided, every open segment ends.
func (p *Parser) Close(dst []toolparse.Event) []toolparse.Event { return dst }
