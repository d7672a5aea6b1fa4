package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/wire"
)

// maxErrorBytes limits the bytes of an upstream's error that are read.
const maxErrorBytes = 1 << 20

// ask sends a prepared request, repeating it while the upstream is not ready, and returns
// the body of the answer. It repeats the request only before any part of the answer has
// come.
func (t *target) ask(ctx context.Context, p *prepared, key string, e *entry) (io.ReadCloser, error) {
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
			e.retries++
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
	times := &t.setup.opts.Timeouts
	answer := modelhttp.NewBody(ctx, cancel, res.Body, times.FirstByte, times.Idle, t.setup.opts.Limits.AnswerBytes)
	if res.StatusCode/100 != 2 {
		defer answer.Close()
		page, _ := io.ReadAll(io.LimitReader(answer, maxErrorBytes)) // what came of it
		return nil, t.failure(res, page, key)
	}
	return answer, nil
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
	f := upstreamFailure(t.Wire, res.StatusCode, res.Header, body)
	f.hide(t.Key)
	f.hide(key)
	return f
}

// setHeaders sets the headers of every request to the upstream.
func (t *target) setHeaders(h http.Header, key string) {
	if t.Key != "" {
		key = t.Key
	} else if !t.PassKey {
		key = ""
	}
	modelhttp.SetHeaders(h, t.server, key)
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
		if wait, ok = modelhttp.RetryAfter(f.retryAfter); !ok {
			return 0, false
		}
	}
	return wait, wait <= limit
}

// statusOverloaded is a status of Anthropic's.
const statusOverloaded = 529

// listModels returns the upstream's list of models.
func (t *target) listModels(ctx context.Context, key string) ([]wire.Model, error) {
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
