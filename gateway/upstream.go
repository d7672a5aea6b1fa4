package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// newClient returns a client for the upstream. It follows no redirects, which could send
// the key to another server.
func newClient(t Timeouts) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: t.Connect, KeepAlive: 30 * time.Second}).DialContext
	transport.TLSHandshakeTimeout = t.Connect
	transport.ResponseHeaderTimeout = t.FirstByte
	transport.MaxIdleConnsPerHost = 256
	transport.ReadBufferSize, transport.WriteBufferSize = 2<<10, 1<<10 // a stream keeps these buffers until its end
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// maxErrorBytes limits the bytes of an upstream's error that are read.
const maxErrorBytes = 1 << 20

// ask sends a prepared request, repeating it while the upstream is not ready, and returns
// the body of the answer. It repeats the request only before any part of the answer has
// come.
func (t *target) ask(ctx context.Context, p *prepared, key string, told *entry) (io.ReadCloser, error) {
	for attempt := 0; ; attempt++ {
		body, err := t.askOnce(ctx, p, key)
		if err == nil || attempt >= t.setup.opts.Limits.Retries || ctx.Err() != nil {
			return body, err
		}
		wait, again := retryAfter(err, attempt, t.setup.opts.Timeouts.Retry)
		if !again {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
			told.retries++
		}
	}
}

func (t *target) askOnce(ctx context.Context, p *prepared, key string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.server.URL(t.Upstream, p.model, p.asked.Stream), &sentBody{p.body})
	if err != nil {
		cancel(err)
		return nil, err
	}
	req.ContentLength = int64(len(p.body))
	req.GetBody = func() (io.ReadCloser, error) { return &sentBody{p.body}, nil }
	t.setHeaders(req.Header, key)
	req.Header.Set("Content-Type", "application/json")
	res, err := t.setup.client.Do(req)
	if err != nil {
		cancel(err)
		return nil, t.notReached(err)
	}
	if res.StatusCode/100 != 2 {
		told, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBytes))
		res.Body.Close()
		cancel(nil)
		return nil, t.failure(res, told, key)
	}
	return &answerBody{body: res.Body, left: t.setup.opts.Limits.AnswerBytes, wait: t.setup.opts.Timeouts.FirstByte, idle: t.setup.opts.Timeouts.Idle, ctx: ctx, cancel: cancel}, nil
}

// sentBody is the body of a request to the upstream. It releases what has been read,
// because the answer keeps the request until its end.
type sentBody struct{ left []byte }

func (b *sentBody) Read(p []byte) (int, error) {
	n := copy(p, b.left)
	if b.left = b.left[n:]; len(b.left) == 0 {
		b.left = nil
		return n, io.EOF
	}
	return n, nil
}

func (b *sentBody) Close() error { return nil }

// failure returns the failure for an error response, without the key that was sent.
func (t *target) failure(res *http.Response, body []byte, key string) *failure {
	f := upstreamFailure(t.codec, res.StatusCode, res.Header, body)
	f.hide(t.Key)
	f.hide(key)
	return f
}

// setHeaders sets the headers of every request to the upstream.
func (t *target) setHeaders(h http.Header, key string) {
	for name, value := range t.server.Headers {
		h.Set(name, value)
	}
	if t.Key != "" {
		key = t.Key
	} else if !t.PassKey {
		key = ""
	}
	if key != "" {
		h.Set(t.server.Key[0], t.server.Key[1]+key)
	}
}

// retryAfter returns how long to wait before sending a request again, and whether to. The
// wait is at most limit, because the client waits, too.
func retryAfter(err error, attempt int, limit time.Duration) (time.Duration, bool) {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.final {
		return 0, false
	}
	switch f.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, statusOverloaded:
	default:
		return 0, false
	}
	wait := 250 * time.Millisecond << attempt
	if f.retryAfter != "" {
		if n, err := strconv.Atoi(f.retryAfter); err == nil && n >= 0 {
			wait = time.Duration(min(n, math.MaxInt32)) * time.Second
		} else if at, err := http.ParseTime(f.retryAfter); err == nil {
			wait = max(time.Until(at), 0)
		} else {
			return 0, false
		}
	}
	return wait, wait <= limit
}

// statusOverloaded is a status of Anthropic's.
const statusOverloaded = 529

// answerBody is the body of an upstream's answer. It fails if nothing comes for too long,
// or if the answer is too long.
type answerBody struct {
	body   io.ReadCloser
	left   int64
	wait   time.Duration // for the next read: some servers send the header long before the rest
	idle   time.Duration // for the reads after the first
	ctx    context.Context
	cancel context.CancelCauseFunc
}

var errSilent = errors.New("the upstream has fallen silent")

func (b *answerBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the answer is too long")
	}
	timer := time.AfterFunc(b.wait, func() { b.cancel(errSilent) })
	n, err := b.body.Read(p[:min(int64(len(p)), b.left)])
	timer.Stop()
	b.left -= int64(n)
	switch cause := context.Cause(b.ctx); {
	case err == nil || err == io.EOF:
	case errors.Is(cause, errSilent):
		err = fmt.Errorf("%w for %v", errSilent, b.wait)
	case cause != nil && errors.Is(err, context.Canceled):
		err = cause // such as that the server is ending
	}
	b.wait = b.idle
	return n, err
}

// Close makes the upstream stop working on the answer.
func (b *answerBody) Close() error {
	b.cancel(nil)
	return b.body.Close()
}

// listModels returns the upstream's list of models.
func (t *target) listModels(ctx context.Context, key string) ([]chat.Model, error) {
	ctx, cancel := context.WithTimeout(ctx, t.setup.opts.Timeouts.Connect)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.server.ModelsURL(t.Upstream), nil)
	if err != nil {
		return nil, err
	}
	t.setHeaders(req.Header, key)
	res, err := t.setup.client.Do(req)
	if err != nil {
		return nil, t.notReached(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxListBytes))
	switch {
	case err != nil:
		return nil, t.notReached(err)
	case res.StatusCode != http.StatusOK:
		return nil, t.failure(res, body, key)
	}
	models, err := t.server.DecodeModels(body)
	if err != nil {
		err = refused(http.StatusBadGateway, "the upstream's list of models: "+err.Error())
	}
	return models, err
}

const maxListBytes = 16 << 20
