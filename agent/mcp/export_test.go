package mcp

import (
	"context"
	"io"
)

// For the tests of other packages.
var NewCaller = newCaller

type SingleCall = singleCall

type ConfigError = configError

// Dialing returns options with which servers are connected to by dial.
func (o Options) Dialing(dial func(context.Context, Config) (io.ReadWriteCloser, error)) Options {
	o.dial = dial
	return o
}
