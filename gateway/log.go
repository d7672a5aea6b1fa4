package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// entry is what the log contains about a request: never what anybody wrote in it.
type entry struct {
	id, model string
	front     *front // nil if no model was asked
	stream    bool
	losses    int
	tools     int
	counts    counts
	retries   int
	reasked   int
	status    int
	bytes     int64
	began     time.Time
	firstByte time.Duration // time until then
	usage     chat.Usage
	failed    *failure
	record    *record // for /inspect; may be nil
	native    bool
}

// counts are numbers of calls in an answer.
type counts struct {
	calls      int
	recovered  int // calls found in text although the tools were native
	tolerances int // calls that needed a tolerance
	kinds      toolcall.Tolerances
}

type entryKey struct{}

// entryOf returns the entry of a request.
func entryOf(r *http.Request) *entry {
	e, _ := r.Context().Value(entryKey{}).(*entry)
	if e == nil {
		e = new(entry)
	}
	return e
}

func (e *entry) prepared(p *prepared) {
	e.model, e.stream, e.tools, e.native = p.model, p.asked.Stream, len(p.asked.Tools), p.target.Dialect == nil
	for _, l := range p.losses {
		if !l.Minor {
			e.losses++
		}
	}
}

func (e *entry) event(ev toolparse.StreamEvent) {
	if ev.Call == nil {
		return
	}
	if ev.Call.Tolerances != 0 {
		e.counts.tolerances++
		e.counts.kinds |= ev.Call.Tolerances
	}
	if ev.Call.Status != toolcall.Complete {
		return
	}
	e.counts.calls++
	if e.native && ev.Call.Dialect != callmeta.NativeDialect {
		e.counts.recovered++
	}
}

// logged gives each request an id, and logs a line when the request has been answered.
func (s *Server) logged(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		e := &entry{id: newID()[:12], status: http.StatusOK, native: true, began: began}
		w.Header().Set("X-Request-Id", e.id)
		counted := &countedWriter{ResponseWriter: w, entry: e}
		defer func() {
			level, attrs := slog.LevelInfo, []slog.Attr{
				slog.String("id", e.id), slog.String("method", clipped(r.Method)), slog.String("path", clipped(r.URL.Path)), slog.Int("status", e.status),
				slog.Int64("bytes_in", max(r.ContentLength, 0)), slog.Int64("bytes_out", e.bytes), slog.Duration("took", time.Since(began)),
			}
			if e.model != "" {
				attrs = append(attrs, slog.String("model", clipped(e.model)), slog.Bool("stream", e.stream), slog.Int("tools", e.tools),
					slog.Int("calls", e.counts.calls), slog.Int("recovered", e.counts.recovered), slog.Int("tolerances", e.counts.tolerances), slog.Int("losses", e.losses), slog.Int("retries", e.retries), slog.Int("reasked", e.reasked))
			}
			if e.failed != nil {
				level = slog.LevelWarn
				attrs = append(attrs, slog.String("error", clipped(cmp.Or(e.failed.logged, e.failed.message))))
			}
			if e.front != nil {
				s.metrics.add(e.front, e, time.Since(began))
			}
			s.audit.add(r, e, time.Since(began))
			e.record.end(e, time.Since(began))
			log.LogAttrs(context.WithoutCancel(r.Context()), level, "request", attrs...)
		}()
		next.ServeHTTP(counted, r.WithContext(context.WithValue(r.Context(), entryKey{}, e)))
	})
}

// maxLogged limits a value in a line that a client or an upstream has chosen, in bytes.
const maxLogged = 500

func clipped(s string) string { return printable.Short(s, maxLogged) }

// countedWriter counts the bytes sent to a client.
type countedWriter struct {
	http.ResponseWriter
	entry *entry
}

func (w *countedWriter) WriteHeader(status int) {
	w.entry.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *countedWriter) Write(p []byte) (int, error) {
	if w.entry.bytes == 0 {
		w.entry.firstByte = time.Since(w.entry.began)
	}
	n, err := w.ResponseWriter.Write(p)
	w.entry.bytes += int64(n)
	return n, err
}

// Unwrap gives [http.ResponseController] access to the server's writer.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
