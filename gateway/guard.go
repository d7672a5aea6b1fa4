package gateway

import (
	"cmp"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/modelhttp"
)

// guarded calls next if a request is allowed.
func (s *Server) guarded(f *front, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.current.Load().admit(r); err != nil {
			tell(w, r, f, err)
			return
		}
		next(w, r)
	}
}

// admit returns why a request is refused, or nil. It keeps web pages from using the
// server: scripts, because the browser sends their page's Origin; names that resolve to
// this machine, because they are the Host; and forms, because they cannot have the media
// type of JSON. Without a type, or with that of any bytes, as LiteLLM and its proxy ask Ollama,
// a request passes if nothing in it is of a browser.
func (u *setup) admit(r *http.Request) *failure {
	if err := u.admitPage(r); err != nil {
		return err
	}
	if err := u.admitKey(r); err != nil {
		return err
	}
	if r.Method == http.MethodPost {
		if !hasJSON(r) {
			return refused(http.StatusUnsupportedMediaType, "the body of a request must be application/json; with curl, add -H 'Content-Type: application/json'")
		}
		if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
			return refused(http.StatusUnsupportedMediaType, "the body of a request must not be compressed")
		}
	}
	return nil
}

// hasJSON reports whether the body of a request is JSON by its media type. A type that does not
// say so is believed if no browser sent it.
func hasJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(cmp.Or(r.Header.Get("Content-Type"), anyBytes))
	if kind == anyBytes {
		return !fromBrowser(r)
	}
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

const anyBytes = "application/octet-stream"

// fromBrowser reports whether a browser may have sent a request: those name the site in each
// request, and the page in each POST request.
func fromBrowser(r *http.Request) bool {
	for _, name := range []string{"Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Cookie"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}

// forPages tells browsers that the pages of Options.Origins may use the server, and
// answers preflight requests.
func (s *Server) forPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, origin := s.current.Load(), r.Header.Get("Origin")
		named := slices.Contains(u.opts.Origins, "*") || slices.Contains(u.opts.Origins, origin)
		if origin == "" || !named || !u.isOwnHost(r.Host) || strings.HasPrefix(r.URL.Path, inspectPath) {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Add("Vary", "Origin")
		h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After")
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		h.Set("Access-Control-Allow-Headers", cmp.Or(r.Header.Get("Access-Control-Request-Headers"), "Content-Type"))
		h.Set("Access-Control-Allow-Private-Network", "true")
		h.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	})
}

// admitPage rejects requests that other web pages can send.
func (u *setup) admitPage(r *http.Request) *failure {
	if !u.isOwnHost(r.Host) {
		return refused(http.StatusForbidden, "requests for the host "+r.Host+" are refused; see --host")
	}
	if origin := r.Header.Get("Origin"); origin != "" && !u.allowsOrigin(origin) {
		return refused(http.StatusForbidden, "requests of the web page "+origin+" are refused; see --origin")
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" && r.Header.Get("Origin") == "" {
		return refused(http.StatusForbidden, "requests of other web sites are refused")
	}
	return nil
}

// admitKey rejects clients without the token.
func (u *setup) admitKey(r *http.Request) *failure {
	if u.opts.Token != "" && subtle.ConstantTimeCompare([]byte(keyOf(r)), []byte(u.opts.Token)) != 1 {
		return refused(http.StatusUnauthorized, "the API key is not the token of this server")
	}
	return nil
}

func (u *setup) isOwnHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return modelhttp.IsLoopback(host) || slices.Contains(u.opts.Hosts, "*") || slices.ContainsFunc(u.opts.Hosts, func(allowed string) bool {
		return strings.EqualFold(allowed, host)
	})
}

func (u *setup) allowsOrigin(origin string) bool {
	if slices.Contains(u.opts.Origins, "*") || slices.Contains(u.opts.Origins, origin) {
		return true
	}
	page, err := url.Parse(origin)
	return err == nil && modelhttp.IsLoopback(page.Hostname())
}

// keyOf returns the API key of a request, from any of the places where clients put it.
func keyOf(r *http.Request) string {
	for i := range fronts {
		name, prefix := fronts[i].server.Key[0], fronts[i].server.Key[1]
		value := r.Header.Get(name)
		if len(value) > len(prefix) && strings.EqualFold(value[:len(prefix)], prefix) {
			return value[len(prefix):]
		}
	}
	return r.URL.Query().Get("key") // Gemini's clients
}
