package agent

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/toolparse/toolparse"
)

// Provider sends requests to a model.
type Provider interface {
	// Name identifies the provider in messages.
	Name() string
	Capabilities() Capabilities
	// Stream sends a request and yields the events of the answer as they come, and then a
	// chunk with the whole answer. If the answer breaks off, that chunk has what came,
	// and an error follows it.
	Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[Chunk, error]
}

// Chunk is a piece of an answer.
type Chunk struct {
	toolparse.StreamEvent                   // unless one of the following is set
	Answer                *toolparse.Answer // on the last chunk: the whole answer
	Notice                string            // information for people, such as that a request is repeated
	Retry                 bool              // with Notice: the request is sent again, or to another provider
}

// Capabilities are what a provider and its model support. The agent does not request what
// they do not; for example, without Parallel it requests one call at a time.
type Capabilities struct {
	Tools      bool // native tool calls; otherwise the provider writes the tools into the prompt
	Parallel   bool // several calls in one answer
	Streaming  bool // answers arrive while the model writes them
	JSONMode   bool
	ToolChoice bool // requests may force or forbid calls
}

// RetryConfig says which requests are repeated, and when. The zero value means the
// defaults.
type RetryConfig struct {
	MaxRetries int           // 0 means 3; a negative number means none
	Initial    time.Duration // the first wait; 0 means 100 ms
	Max        time.Duration // the longest wait; 0 means 10 s
	Multiplier float64       // 0 means 2
	Jitter     float64       // random variation of a wait, as a share of it; 0 means 0.2, a negative number none
	Retryable  []Category    // nil means Timeout, Network and Quota

	sleep func(context.Context, time.Duration) error // set by tests
}

func (c RetryConfig) withDefaults() RetryConfig {
	if c.MaxRetries == 0 {
		c.MaxRetries = 3
	}
	if c.Initial == 0 {
		c.Initial = 100 * time.Millisecond
	}
	if c.Max == 0 {
		c.Max = 10 * time.Second
	}
	if c.Multiplier == 0 {
		c.Multiplier = 2
	}
	if c.Jitter == 0 {
		c.Jitter = 0.2
	}
	if c.Retryable == nil {
		c.Retryable = []Category{Timeout, Network, Quota}
	}
	if c.sleep == nil {
		c.sleep = sleep
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// retries counts the attempts of one operation.
type retries struct {
	config RetryConfig
	waits  *backoff.ExponentialBackOff
	tried  int
}

func (c RetryConfig) start() *retries {
	c = c.withDefaults()
	waits := &backoff.ExponentialBackOff{
		InitialInterval: c.Initial, MaxInterval: c.Max, Multiplier: c.Multiplier, RandomizationFactor: max(0, c.Jitter),
	}
	waits.Reset()
	return &retries{config: c, waits: waits}
}

// again reports whether to repeat after an error, and waits before it returns. It
// respects a provider's Retry-After if that is longer than its own wait and at most a
// minute; it does not wait for an hour.
func (r *retries) again(ctx context.Context, err error, notice func(wait time.Duration)) bool {
	e := Categorize(err)
	retryable := false
	for _, c := range r.config.Retryable {
		retryable = retryable || c == e.Category
	}
	if !retryable || r.tried >= r.config.MaxRetries || ctx.Err() != nil || e.RetryAfter > time.Minute {
		return false
	}
	r.tried++
	wait := max(min(r.waits.NextBackOff(), r.config.Max), e.RetryAfter)
	if notice != nil {
		notice(wait)
	}
	return r.config.sleep(ctx, wait) == nil
}

// Retry repeats do until it succeeds or the error may not be retried, and returns the
// last error unchanged.
func Retry(ctx context.Context, config RetryConfig, do func() error) error {
	r := config.start()
	for {
		err := do()
		if err == nil || !r.again(ctx, err, nil) {
			return err
		}
	}
}

// withRetry returns a provider that repeats requests while no part of the answer has
// come.
func withRetry(p Provider, config RetryConfig) Provider { return retrying{p, config} }

type retrying struct {
	Provider
	config RetryConfig
}

func (p retrying) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for r := p.config.start(); ; {
			err, goesOn := p.try(ctx, request, yield)
			if err == nil || !goesOn {
				return
			}
			open := true
			again := r.again(ctx, err, func(wait time.Duration) {
				open = yield(Chunk{Notice: "request failed (" + err.Error() + "); again in " + wait.Round(time.Millisecond).String(), Retry: true}, nil)
			})
			if !open {
				return
			}
			if !again {
				yield(Chunk{}, err)
				return
			}
		}
	}
}

// try sends the request once. It returns an error if no part of the answer came, and
// false if the caller wants no more chunks.
func (p retrying) try(ctx context.Context, request *toolparse.Request, yield func(Chunk, error) bool) (failed error, goesOn bool) {
	return firstOf(p.Provider.Stream(ctx, request), yield)
}

// firstOf passes an answer on, unless it fails before its first event.
func firstOf(answer iter.Seq2[Chunk, error], yield func(Chunk, error) bool) (failed error, goesOn bool) {
	began := false
	var last *Chunk
	for chunk, err := range answer {
		switch {
		case err != nil && !began:
			return err, true
		case err == nil && !began && chunk.Answer != nil:
			last = &chunk // of an empty or failed answer: an error may follow
			continue
		}
		began = began || chunk.Notice == ""
		if !yield(chunk, err) {
			return nil, false
		}
	}
	if last != nil {
		yield(*last, nil)
	}
	return nil, false
}

// Fallback returns a provider that sends requests to the first of several providers. If
// one fails before any part of the answer came, the next one gets the request, unless the
// request is invalid or the context has ended.
func Fallback(first Provider, others ...Provider) Provider {
	return fallback{first, others}
}

type fallback struct {
	Provider
	others []Provider
}

func (p fallback) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		from := p.Provider
		for _, next := range append(p.others[:len(p.others):len(p.others)], nil) {
			err, goesOn := firstOf(from.Stream(ctx, request), yield)
			if err == nil || !goesOn {
				return
			}
			if next == nil || Categorize(err).Category == Validation || errors.Is(err, context.Canceled) {
				yield(Chunk{}, err)
				return
			}
			if !yield(Chunk{Notice: from.Name() + " failed (" + err.Error() + "); asking " + next.Name(), Retry: true}, nil) {
				return
			}
			from = next
		}
	}
}
