package agent

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/toolparse/toolparse"
)

// Provider asks a model.
type Provider interface {
	// Name says in messages who it is.
	Name() string
	Capabilities() Capabilities
	// Stream sends a request and yields every event of the answer while it comes, and last
	// a chunk with the whole answer. Where the answer breaks off, that chunk holds what
	// had come, and an error comes behind it.
	Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[Chunk, error]
}

// Chunk is a piece of an answer.
type Chunk struct {
	toolparse.StreamEvent                   // where the chunk is neither of the following
	Answer                *toolparse.Answer // the whole answer, on the last chunk
	Notice                string            // what a person may want to know, such as that a request is repeated
	Retry                 bool              // with Notice: the request is sent again, or to another provider
}

// Capabilities are what a provider and its model can do. What is not there is not asked
// for: a request without Parallel asks for one call at a time.
type Capabilities struct {
	Tools      bool // native tool calls; without them the provider writes tools into the prompt
	Parallel   bool // several calls in one answer
	Streaming  bool // answers come while they are written
	JSONMode   bool
	ToolChoice bool // requests may ask for calls, or for none
}

// RetryConfig says which requests are tried again, and when. The zero value stands for
// the defaults.
type RetryConfig struct {
	MaxRetries int           // 3 where it is 0, none where it is negative
	Initial    time.Duration // the first wait; 100 ms where it is 0
	Max        time.Duration // the longest wait; 10 s where it is 0
	Multiplier float64       // 2 where it is 0
	Jitter     float64       // how far a wait strays, as a share of it; 0.2 where it is 0, none where it is negative
	Retryable  []Category    // Timeout, Network and Quota where there are none

	sleep func(context.Context, time.Duration) error // of tests
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

// retries counts the tries of one operation.
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

// again reports whether to try once more after an error, and waits before that. A provider's
// Retry-After counts where it asks for more than the usual wait and for no more than a
// minute: who asks for an hour is not waited for.
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

// Retry does something until it succeeds or may not be tried again, and returns the last
// error as it was.
func Retry(ctx context.Context, config RetryConfig, do func() error) error {
	r := config.start()
	for {
		err := do()
		if err == nil || !r.again(ctx, err, nil) {
			return err
		}
	}
}

// withRetry returns a provider that repeats a request as long as nothing of its answer has
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

// try asks once. It returns the error of a request of whose answer nothing has come, and
// false where the caller has all there is, or wants no more.
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
			last = &chunk // of an answer that is empty or has failed: the error would come next
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

// Fallback returns a provider that asks the first of several and, as long as nothing of
// an answer has come, the next one where that fails. Where a request is not even legal, or
// the context has ended, no other is asked.
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
