package gateway

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// auditor writes a line of JSON for each request to a model: who asked which model, the
// duration, and the outcome. It never writes texts, or errors of an upstream, which may
// quote them.
type auditor struct{ lines *slog.Logger }

// newAuditor returns nil if w is nil.
func newAuditor(w io.Writer) *auditor {
	if w == nil {
		return nil
	}
	plain := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}
	return &auditor{slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: plain}))}
}

// add writes the line of a request that has been answered.
func (a *auditor) add(r *http.Request, e *entry, took time.Duration) {
	if a == nil || e.front == nil {
		return
	}
	attrs := []slog.Attr{
		slog.String("id", e.id), slog.String("wire", string(e.front.wire)), slog.String("path", clipped(r.URL.Path)), slog.Int("status", e.status),
		slog.String("model", clipped(e.model)), slog.Bool("stream", e.stream), slog.Bool("text_mode", !e.native),
		slog.Int64("bytes_in", max(r.ContentLength, 0)), slog.Int64("bytes_out", e.bytes),
		slog.Int64("first_byte_ms", e.firstByte.Milliseconds()), slog.Int64("took_ms", took.Milliseconds()),
		slog.Int("tools", e.tools), slog.Int("calls", e.counts.calls), slog.Int("recovered", e.counts.recovered), slog.Int("losses", e.losses),
		slog.Int("tolerated", e.counts.tolerances), slog.Any("tolerances", e.counts.kinds),
		slog.Int("retries", e.retries), slog.Int("reasked", e.reasked),
		slog.Int("input_tokens", e.usage.Input), slog.Int("output_tokens", e.usage.Output),
		slog.Bool("failed", e.failed != nil),
	}
	a.lines.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "", attrs...)
}
