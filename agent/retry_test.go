package agent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The waits start with Initial, grow by Multiplier, and stay below Max, unless a provider
// requests a longer one. An error that may not be retried is returned at once, and the
// last error is returned unchanged.
func TestRetryWaits(t *testing.T) {
	const ms = time.Millisecond
	network := &Error{Category: Network, Message: "no route"}
	later := &Error{Category: Quota, Message: "slow down", RetryAfter: 3 * time.Second}
	tests := []struct {
		name   string
		config RetryConfig
		err    error
		want   []time.Duration
	}{
		{"defaults", RetryConfig{Jitter: -1}, network, []time.Duration{100 * ms, 200 * ms, 400 * ms}},
		{"longest", RetryConfig{Jitter: -1, MaxRetries: 5, Initial: time.Second, Max: 3 * time.Second}, network, []time.Duration{1000 * ms, 2000 * ms, 3000 * ms, 3000 * ms, 3000 * ms}},
		{"factor", RetryConfig{Jitter: -1, MaxRetries: 2, Multiplier: 3}, network, []time.Duration{100 * ms, 300 * ms}},
		{"asked for", RetryConfig{Jitter: -1, MaxRetries: 1}, later, []time.Duration{3000 * ms}},
		{"none", RetryConfig{MaxRetries: -1}, network, nil},
		{"another category", RetryConfig{}, &Error{Category: Validation, Message: "bad"}, nil},
		{"chosen category", RetryConfig{Jitter: -1, MaxRetries: 1, Retryable: []Category{Execution}}, errors.New("any"), []time.Duration{100 * ms}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var waits []time.Duration
				var last time.Time
				err := Retry(t.Context(), test.config, func() error {
					if !last.IsZero() {
						waits = append(waits, time.Since(last))
					}
					last = time.Now()
					return test.err
				})
				if err != test.err {
					t.Errorf("%v", err)
				}
				if diff := cmp.Diff(test.want, waits); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A wait ends when the context does.
func TestRetryCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tries := 0
	err := Retry(ctx, RetryConfig{Initial: time.Hour, Max: time.Hour}, func() error {
		tries++
		cancel()
		return &Error{Category: Network, Message: "no route"}
	})
	if tries != 1 || err == nil {
		t.Errorf("%d tries, %v", tries, err)
	}
}
