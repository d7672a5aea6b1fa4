package clients

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// faults are what goes wrong with upstreams. Each is given the answer as it should be.
var faults = map[string]func(w http.ResponseWriter, r *http.Request, wire format.Wire, pieces [][]byte){
	"dies before the head": func(http.ResponseWriter, *http.Request, format.Wire, [][]byte) { panic(http.ErrAbortHandler) },
	"dies behind the head": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, _ [][]byte) {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	},
	"dies between events": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		w.Header().Set("Content-Length", "100000")
		w.Write(bytes.Join(pieces[:len(pieces)/2], nil))
		panic(http.ErrAbortHandler)
	},
	"dies inside an event": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		all := bytes.Join(pieces, nil)
		w.Header().Set("Content-Length", "100000")
		w.Write(all[:len(all)*2/3])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	},
	"ends too early": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		all := bytes.Join(pieces, nil)
		w.Write(all[:len(all)/2])
	},
	"ends before the call ends": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		w.Write(bytes.Join(pieces[:max(len(pieces)-3, 0)], nil))
	},
	"refuses for now": func(w http.ResponseWriter, _ *http.Request, spoken format.Wire, _ [][]byte) {
		server, _ := all.ServerOf(spoken)
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(http.StatusTooManyRequests)
		w.Write(server.EncodeError(429, wire.Error{Message: "come again"}))
	},
	"shows a page": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, _ [][]byte) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "<html><head><title>Oops</title></head></html>")
	},
	"shows a page with 200": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, _ [][]byte) {
		io.WriteString(w, "<html><head><title>Oops</title></head></html>")
	},
	"tells an error with 200": func(w http.ResponseWriter, _ *http.Request, spoken format.Wire, _ [][]byte) {
		server, _ := all.ServerOf(spoken)
		w.Write(server.EncodeError(500, wire.Error{Message: "out of memory"}))
	},
	"tells an error in the middle": func(w http.ResponseWriter, _ *http.Request, spoken format.Wire, pieces [][]byte) {
		server, _ := all.ServerOf(spoken)
		told, end := server.EncodeError(500, wire.Error{Message: "out of memory"}), "\n"
		if spoken != format.Ollama {
			told, end = append([]byte("data: "), told...), "\n\n"
		}
		w.Write(append(append(bytes.Join(pieces[:len(pieces)/2], nil), told...), end...))
	},
	"says nothing": func(http.ResponseWriter, *http.Request, format.Wire, [][]byte) {},
	"says garbage": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, _ [][]byte) {
		io.WriteString(w, "\x00\xff{{{[[ no JSON\n\n")
	},
	"says null": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, _ [][]byte) { io.WriteString(w, "null") },
	"goes on with garbage": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		w.Write(bytes.Join(pieces[:len(pieces)/2], nil))
		io.WriteString(w, "data: {\"x\": \x00\xff]\n\n{{{\n")
	},
	"does not end a line": func(w http.ResponseWriter, _ *http.Request, _ format.Wire, pieces [][]byte) {
		w.Write(bytes.Join(pieces[:len(pieces)/2], nil))
		io.WriteString(w, "data: {\"x\":\"")
		for line := strings.Repeat("x", 1<<16); ; {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	},
	"falls silent": func(w http.ResponseWriter, r *http.Request, _ format.Wire, pieces [][]byte) {
		w.Write(bytes.Join(pieces[:len(pieces)/2], nil))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	},
	"sends the head alone": func(w http.ResponseWriter, r *http.Request, _ format.Wire, _ [][]byte) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	},
}

// TestGatewayFaults: whatever goes wrong with an upstream of any wire, each vendor's client
// has an error, and soon.
func TestGatewayFaults(t *testing.T) {
	for _, wire := range format.Wires() {
		for mode, text := range modes {
			if testing.Short() && mode != "" && mode != "hermes" {
				continue
			}
			for fault, fail := range faults {
				url := gatewayTo(t, wire, mode, func(w http.ResponseWriter, r *http.Request) {
					pieces, kind := answered(t, wire, r, text, mode == "")
					w.Header().Set("Content-Type", kind)
					fail(w, r, wire, pieces)
				}, func(o *gateway.Options) {
					o.Limits.EventBytes = 1 << 20
					o.Timeouts = gateway.Timeouts{FirstByte: 40 * time.Millisecond, Idle: 40 * time.Millisecond}
				})
				for _, c := range clients {
					for way, hear := range map[string]func(testing.TB, string) (said, error){"stream": c.stream, "whole": c.whole} {
						t.Run(fmt.Sprintf("%s to %s, %s, mode=%s, %s", c.wire, wire, way, mode, fault), func(t *testing.T) {
							t.Parallel()
							began := time.Now()
							got, err := hear(t, url)
							if err == nil && !got.Failed {
								t.Errorf("no error, but %+v", got)
							}
							if took := time.Since(began); took > 10*time.Second {
								t.Errorf("it took %v", took)
							}
						})
					}
				}
			}
		}
	}
}
