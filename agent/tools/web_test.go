package tools_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// served returns a workspace, and a server that it may use.
func served(t *testing.T, handler http.Handler) (*workspace, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	w := within(t, nil)
	w.set.Web.Hosts = []string{hostOf(t, server)}
	return w, server
}

func hostOf(t *testing.T, server *httptest.Server) string {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// A request has its method, headers and body, and the output shows the status.
func TestHTTPRequest(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 100)
		n, _ := r.Body.Read(body)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("X-A"), body[:n])
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "<html><head><title>Oh\n no</title><style>p{}</style></head><body><script>var a = '<p>';</script><p>caf\xe9 &amp; <b>bar</b></p><table><tr><td>a<td>b</table>")
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 5000)) })
	mux.HandleFunc("/bytes", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, "\x89PNG\x00")
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	w, server := served(t, mux)
	r := w.good("http_request", args{"url": server.URL + "/echo", "method": "PUT", "headers": args{"x-a": "b"}, "body": "hello"})
	if !strings.HasPrefix(r.Output, "HTTP 200 OK\n") || !strings.HasSuffix(r.Output, "\n\nPUT b hello") || r.Metadata["status"] != 200 {
		t.Errorf("%+v", r)
	}
	r, err := w.use("http_request", args{"url": server.URL + "/page"})
	if e := agent.Categorize(err); e.Category != agent.Network || !strings.HasSuffix(r.Output, "\n\nOh no\ncafé & bar\na | b\n") {
		t.Errorf("%q, %v", r.Output, err)
	}
	if r, _ = w.use("http_request", args{"url": server.URL + "/page", "raw": true}); !strings.Contains(r.Output, "<b>bar</b>") {
		t.Errorf("%q", r.Output)
	}
	r = w.good("http_request", args{"url": server.URL + "/long", "max_bytes": 100})
	if strings.Count(r.Output, "x") > 110 || r.Metadata["truncated"] != true || !strings.Contains(r.Output, "more than 100 bytes") {
		t.Errorf("%+v", r)
	}
	if r := w.good("http_get", args{"url": server.URL + "/bytes"}); !strings.Contains(r.Output, "5 bytes that are not text") {
		t.Errorf("%+v", r)
	}
	if r := w.good("http_post", args{"url": server.URL + "/echo", "body": "b"}); !strings.HasSuffix(r.Output, "POST  b") {
		t.Errorf("%+v", r)
	}
	w.bad("http_request", args{"url": server.URL + "/slow", "timeout_seconds": 1}, agent.Timeout)
	w.bad("http_request", args{"url": server.URL + "/nothing"}, agent.NotFound)
	w.bad("http_request", args{"url": server.URL, "headers": args{"host": "other"}}, agent.Validation)
	w.bad("http_request", args{"url": server.URL, "headers": args{"a": "b\r\nc: d"}}, agent.Validation)
	r = w.good("download", args{"url": server.URL + "/bytes", "path": "new/a.png"})
	if w.text("new/a.png") != "\x89PNG\x00" || len(r.Changes) != 2 || r.Changes[1].Type != "FileCreated" {
		t.Errorf("%+v", r)
	}
	w.bad("download", args{"url": server.URL + "/bytes", "path": "new/a.png"}, agent.Validation)
	w.bad("download", args{"url": server.URL + "/bytes", "path": "../a.png"}, agent.Permission)
	w.bad("download", args{"url": server.URL + "/nothing", "path": "b"}, agent.NotFound)
}

// No request reaches a non-public address, by whatever name, redirect or proxy in the
// environment.
func TestHTTPPrivate(t *testing.T) {
	reached := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(inside.Close)
	_, port, err := net.SplitHostPort(hostOf(t, inside))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HTTP_PROXY", inside.URL)
	t.Setenv("http_proxy", inside.URL)
	w := within(t, nil)
	for _, host := range []string{
		"127.0.0.1", "localhost", "127.1.2.3", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]", "10.0.0.1", "172.16.5.5", "192.168.0.1", "169.254.169.254",
		"100.100.100.200", "192.0.0.192", "168.63.129.16", "[fe80::1]", "[fd00:ec2::254]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255", "198.18.0.1",
	} {
		e := w.bad("http_request", args{"url": "http://" + host + ":" + port + "/"}, agent.Permission)
		if !strings.Contains(e.Message, "not a public one") {
			t.Errorf("%s: %v", host, e)
		}
	}
	for _, bad := range []string{"file:///etc/passwd", "ftp://example.com", "http://", "//x", "http://user:pass@example.com/", "gopher://example.com", "http://a b/"} {
		w.bad("http_request", args{"url": bad}, agent.Validation)
	}
	// The list of hosts allows names; a private address only with its port.
	w.set.Web.Hosts = []string{"localhost", "127.0.0.1", "*.example.com"}
	w.bad("http_request", args{"url": inside.URL}, agent.Permission)
	if e := w.bad("http_request", args{"url": "http://example.com/"}, agent.Permission); !strings.Contains(e.Message, "not on the list") {
		t.Errorf("%v", e)
	}
	// A redirect follows the same rules, and drops the headers.
	var key string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("X-Key") + r.Header.Get("Authorization")
	}))
	t.Cleanup(other.Close)
	to := inside.URL
	w, server := served(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusFound) }))
	w.bad("http_request", args{"url": server.URL}, agent.Permission)
	w.set.Web.Hosts = append(w.set.Web.Hosts, "127.0.0.1")
	if e := w.bad("http_request", args{"url": server.URL}, agent.Permission); !strings.Contains(e.Message, "not a public one") {
		t.Errorf("%v", e)
	}
	to = other.URL
	w.set.Web.Hosts = append(w.set.Web.Hosts, hostOf(t, other))
	w.good("http_request", args{"url": server.URL, "headers": args{"X-Key": "sesame", "Authorization": "sesame"}})
	if key != "" {
		t.Error("the other host got the headers")
	}
	to = server.URL
	if e := w.bad("http_request", args{"url": server.URL}, agent.Execution); !strings.Contains(e.Message, "more than 5 times") {
		t.Errorf("%v", e)
	}
	if reached {
		t.Error("the private server was asked")
	}
}
