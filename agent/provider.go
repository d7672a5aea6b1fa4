package agent

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/toolparse/toolparse"
)

// Provider sends requests to a model.
type Provider interface {
	// Name identifies the provider in messages.
	Name() string
	// Capabilities fails if the provider cannot be used, for example without its key.
	Capabilities() (Capabilities, error)
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
}

// Retry repeats do until it succeeds or the error may not be retried, and returns the
// last error unchanged.
func Retry(ctx context.Context, config RetryConfig, do func() error) error {
	return config.retry(ctx, do, func(error, time.Duration) bool { return true })
}

// retry is [Retry]. It calls notice before each wait, and returns nil if that returns false.
// It respects a provider's Retry-After if that is longer than its own wait and at most a
// minute; it does not wait for an hour.
func (c RetryConfig) retry(ctx context.Context, do func() error, notice func(err error, wait time.Duration) bool) error {
	if c.Retryable == nil {
		c.Retryable = []Category{Timeout, Network, Quota}
	}
	c.MaxRetries, c.Max = cmp.Or(c.MaxRetries, 3), cmp.Or(c.Max, 10*time.Second)
	waits := &backoff.ExponentialBackOff{
		InitialInterval: cmp.Or(c.Initial, 100*time.Millisecond), MaxInterval: c.Max,
		Multiplier: cmp.Or(c.Multiplier, 2), RandomizationFactor: max(0, cmp.Or(c.Jitter, 0.2)),
	}
	waits.Reset()
	for tried := 0; ; tried++ {
		err := do()
		if err == nil {
			return nil
		}
		e := Categorize(err)
		if !slices.Contains(c.Retryable, e.Category) || tried >= c.MaxRetries || ctx.Err() != nil || e.RetryAfter > time.Minute {
			return err
		}
		wait := max(min(waits.NextBackOff(), c.Max), e.RetryAfter)
		if !notice(err, wait) {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// stream sends a request, and repeats it while no part of the answer has come.
func (c RetryConfig) stream(ctx context.Context, p Provider, request *toolparse.Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		err := c.retry(ctx, func() error { return passOn(p.Stream(ctx, request), yield) }, func(err error, wait time.Duration) bool {
			return yield(Chunk{Notice: "request failed (" + err.Error() + "); again in " + wait.Round(time.Millisecond).String(), Retry: true}, nil)
		})
		if err != nil {
			yield(Chunk{}, err)
		}
	}
}

// passOn yields the chunks of an answer. If the answer fails before its first event, it
// returns the error instead.
func passOn(answer iter.Seq2[Chunk, error], yield func(Chunk, error) bool) error {
	began := false
	var last *Chunk
	for chunk, err := range answer {
		switch {
		case err != nil && !began:
			return err
		case err == nil && !began && chunk.Answer != nil:
			last = &chunk // of an empty or failed answer: an error may follow
			continue
		}
		began = began || chunk.Notice == ""
		if !yield(chunk, err) {
			return nil
		}
	}
	if last != nil {
		yield(*last, nil)
	}
	return nil
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

func (p fallback) Capabilities() (Capabilities, error) {
	for _, other := range p.others {
		if _, err := other.Capabilities(); err != nil {
			return Capabilities{}, err
		}
	}
	return p.Provider.Capabilities()
}

func (p fallback) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		from := p.Provider
		for _, next := range append(p.others[:len(p.others):len(p.others)], nil) {
			err := passOn(from.Stream(ctx, request), yield)
			if err == nil {
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
