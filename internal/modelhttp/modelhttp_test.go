package modelhttp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/modelhttp"
)

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		value    string
		from, to time.Duration
		ok       bool
	}{
		{"0", 0, 0, true},
		{"0.5", 500 * time.Millisecond, 500 * time.Millisecond, true},
		{"7", 7 * time.Second, 7 * time.Second, true},
		{"1e300", 24 * time.Hour, 366 * 24 * time.Hour, true},
		{"Sun, 06 Nov 1994 08:49:37 GMT", 0, 0, true},
		{time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), 59 * time.Minute, time.Hour, true},
		{"", 0, 0, false}, {"soon", 0, 0, false}, {"-1", 0, 0, false}, {"NaN", 0, 0, false},
	} {
		wait, ok := modelhttp.RetryAfter(tt.value)
		if ok != tt.ok || wait < tt.from || wait > tt.to {
			t.Errorf("%q: %v, %t; want %v to %v, %t", tt.value, wait, ok, tt.from, tt.to, tt.ok)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "[::1]": true,
		"": false, "10.0.0.1": false, "localhost.example": false, "0.0.0.0": false, "127.0.0.1.example": false,
	} {
		if got := modelhttp.IsLoopback(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

// TestBody: a body ends with the error of its limit, after what came before.
func TestBody(t *testing.T) {
	hang := func(r *http.Request) { <-r.Context().Done() }
	for _, tt := range []struct {
		name    string
		respond http.HandlerFunc
		bytes   int64
		text    string
		err     error
	}{
		{"whole", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }, 99, "hello", nil},
		{"too long", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }, 4, "hell", modelhttp.ErrTooLong},
		{"silent from the first byte", func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			hang(r)
		}, 99, "", modelhttp.ErrSilent},
		{"silent in the middle", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "hel")
			w.(http.Flusher).Flush()
			hang(r)
		}, 99, "hel", modelhttp.ErrSilent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(tt.respond)
			defer server.Close()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := modelhttp.NewClient(time.Second, time.Second).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body := modelhttp.NewBody(ctx, cancel, response.Body, 50*time.Millisecond, 50*time.Millisecond, tt.bytes)
			defer body.Close()
			text, err := io.ReadAll(body)
			if string(text) != tt.text || !errors.Is(err, tt.err) {
				t.Errorf("%q, %v; want %q, %v", text, err, tt.text, tt.err)
			}
		})
	}
}

// TestBodyPause: the time between two reads, in which nobody waits for the server, does not
// count.
func TestBodyPause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	body := modelhttp.NewBody(ctx, cancel, io.NopCloser(strings.NewReader("ab")), 20*time.Millisecond, 20*time.Millisecond, 99)
	for range 2 {
		if _, err := body.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(60 * time.Millisecond)
		if ctx.Err() != nil {
			t.Fatal(context.Cause(ctx))
		}
	}
}

// A refusal is read in the form of any wire, as one body or as an event; of anything else, the
// text is told.
func TestErrorIn(t *testing.T) {
	for _, tt := range []struct{ body, code, message, text string }{
		{`{"error": {"message": "no", "code": "c"}}`, "c", "no", `{"error": {"message": "no", "code": "c"}}`},
		{`{"type": "error", "error": {"type": "overloaded", "message": "no"}}`, "overloaded", "no", `{"type": "error", "error": {"type": "overloaded", "message": "no"}}`},
		{`[{"error": {"code": 429, "message": "no", "status": "S"}}]`, "S", "no", `[{"error": {"code": 429, "message": "no", "status": "S"}}]`},
		{`{"detail": "no"}`, "", "no", `{"detail": "no"}`},
		{"data: {\"error\": {\"message\": \"no\"}}\n\n", "", "no", `data: {"error": {"message": "no"}}`},
		{" short and\nstout\xff ", "", "", "short and\nstout\ufffd"},
		{"<html><head><title>Down</title></head></html>", "", "", `the body is an HTML page: "Down"`},
		{"", "", "", ""},
	} {
		reported, text := modelhttp.ErrorIn(format.OpenAI, []byte(tt.body))
		if reported.Code != tt.code || reported.Message != tt.message || text != tt.text {
			t.Errorf("%s: %+v, %q", tt.body, reported, text)
		}
	}
	for status, want := range map[int]string{404: "it answered 404 Not Found", 799: "it answered 799"} {
		if got := modelhttp.Answered("it", status); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
