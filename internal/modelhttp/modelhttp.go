// Package modelhttp has what all clients of servers of models need from HTTP: no redirects,
// limits for a server that is silent or never ends, and what a refusal says.
package modelhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse/internal/wire"
)

// NewClient returns a client that waits for a connection for at most connect, and then for
// the head of the answer for at most firstByte. It follows no redirects, which could send the
// key to another server.
func NewClient(connect, firstByte time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: connect}).DialContext
	transport.TLSHandshakeTimeout = connect
	transport.ResponseHeaderTimeout = firstByte
	transport.MaxIdleConnsPerHost = 256
	transport.ReadBufferSize, transport.WriteBufferSize = 2<<10, 1<<10 // a stream keeps these buffers until its end
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// SetHeaders sets the headers that a server requires, and the key unless it is "".
func SetHeaders(h http.Header, server *wire.Server, key string) {
	for name, value := range server.Headers {
		h.Set(name, value)
	}
	if key != "" {
		h.Set(server.Key[0], server.Key[1]+key)
	}
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// maxRetryAfter is longer than anybody waits, and a number of seconds that fits a Duration.
const maxRetryAfter = 365 * 24 * time.Hour

// RetryAfter reads the value of the header Retry-After: seconds, or a time.
func RetryAfter(value string) (wait time.Duration, ok bool) {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second)), true
	}
	at, err := http.ParseTime(value)
	return max(0, time.Until(at)), err == nil
}

// The errors of a Body.
var (
	ErrSilent  = errors.New("the server has fallen silent")
	ErrTooLong = errors.New("the answer is too long")
)

// Body is the body of an answer. A read fails with ErrSilent if nothing comes for too long,
// and with ErrTooLong after too many bytes.
type Body struct {
	body   io.ReadCloser
	left   int64
	wait   time.Duration // of the next read
	idle   time.Duration // of the reads after it
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// NewBody returns the body of an answer of at most this many bytes. It waits first for the
// first bytes, because some servers send the head long before the rest, and idle for others.
// ctx is the context of the request; cancel ends it.
func NewBody(ctx context.Context, cancel context.CancelCauseFunc, body io.ReadCloser, first, idle time.Duration, bytes int64) *Body {
	return &Body{body: body, left: bytes, wait: first, idle: idle, ctx: ctx, cancel: cancel}
}

// Read implements [io.Reader].
func (b *Body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrTooLong
	}
	if b.timer == nil {
		b.timer = time.AfterFunc(b.wait, func() { b.cancel(ErrSilent) })
	} else {
		b.timer.Reset(b.wait)
	}
	n, err := b.body.Read(p[:min(int64(len(p)), b.left)])
	b.timer.Stop()
	b.left -= int64(n)
	switch cause := context.Cause(b.ctx); {
	case err == nil || err == io.EOF:
	case errors.Is(cause, ErrSilent):
		err = fmt.Errorf("%w for %v", ErrSilent, b.wait)
	case cause != nil && errors.Is(err, context.Canceled):
		err = cause // such as that this program is ending
	}
	b.wait = b.idle
	return n, err
}

// Close makes the server stop working on the answer.
func (b *Body) Close() error {
	b.cancel(nil)
	return b.body.Close()
}
