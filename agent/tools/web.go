package tools

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/toolparse/toolparse/agent"
)

var networkTools = []*entry{
	{
		name: "http_request", description: "Sends an HTTP request to a public server and returns the response; HTML pages are converted to text.", aliases: []string{"curl"},
		category: network, from: standard, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: does((*Set).httpRequest), subjects: onURL, shell: "curl -sS URL",
	},
	{
		name: "http_get", description: "Gets a page or a text file from a public server.",
		category: network, from: onDemand, like: "http_request", risk: agent.High, traits: reads, timeout: maxTimeout, make: does((*Set).httpGet), subjects: onURL, shell: "curl -sS URL",
	},
	{
		name: "http_post", description: "Posts a body to a public server.",
		category: network, from: onDemand, like: "http_request", risk: agent.High, timeout: maxTimeout, make: does((*Set).httpPost), subjects: onURL, shell: "curl -sS -d BODY URL",
	},
	{
		name: "download", description: "Downloads a file from a public server into the workspace.", aliases: []string{"wget"},
		category: network, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: writes((*Set).download),
		subjects: onURL, paths: onPath, shell: "curl -sS -o FILE URL",
	},
}

var onURL = []string{"url"}

// Web says what the network tools may reach. It does not restrict shell commands.
type Web struct {
	// Hosts are the allowed hosts: host, host:port, or *.domain. Nil allows all hosts
	// with a public address. A host with another address (of this machine, of a private
	// network, of a cloud's metadata) must be listed with its port.
	Hosts []string
	// Proxy sends requests through the proxy in HTTP_PROXY and HTTPS_PROXY. The proxy
	// then resolves the addresses of hosts, which are no longer checked.
	Proxy bool
}

// listed reports whether a host is allowed, and whether it is listed with its port.
func (w *Web) listed(host, port string) (known, exact bool) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for _, of := range w.Hosts {
		of = strings.ToLower(of)
		domain, wild := strings.CutPrefix(of, "*")
		switch {
		case of == net.JoinHostPort(host, port):
			return true, true
		case of == host, wild && strings.HasPrefix(domain, ".") && strings.HasSuffix(host, domain):
			known = true
		}
	}
	return known || len(w.Hosts) == 0, false
}

// check returns why a URL is not allowed, or nil.
func (w *Web) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return agent.Failure(agent.Validation, "%q is not an http or https URL", u.Redacted())
	}
	if u.User != nil {
		return agent.Failure(agent.Validation, "the URL holds a password; send it as a header")
	}
	if known, _ := w.listed(u.Hostname(), portOf(u)); !known {
		return advise(agent.Failure(agent.Permission, "%s is not on the list of hosts", u.Host),
			"Use one of "+strings.Join(w.Hosts, ", ")+".")
	}
	return nil
}

func portOf(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// special are non-public ranges of addresses that package netip does not know, and the
// addresses of clouds' own services.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("168.63.129.16/32"), netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// public reports whether an address is public.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsGlobalUnicast() && !a.IsPrivate() && !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

// dial connects to a host. It checks the address right before it connects, so that a name
// cannot change its address in between.
func (w *Web) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: 20 * time.Second}
	if _, exact := w.listed(host, port); !exact && !w.Proxy {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !public(to.Addr()) {
				return advise(agent.Failure(agent.Permission, "%s has the address %s, which is not a public one", host, to.Addr()),
					"Use only public servers.")
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}

// maxRedirects limits the redirections of one request.
const maxRedirects = 5

// client returns a client for one call. Only the first host gets the headers in firstHost.
func (w *Web) client(firstHost http.Header) *http.Client {
	t := &http.Transport{
		DialContext: w.dial, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 20 * time.Second, MaxResponseHeaderBytes: 1 << 18, DisableKeepAlives: true,
	}
	if w.Proxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return agent.Failure(agent.Execution, "the server redirected more than %d times", maxRedirects)
		}
		if r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
			for name := range firstHost {
				r.Header.Del(name)
			}
		}
		return w.check(r.URL)
	}}
}

type httpRequestIn struct {
	URL     string            `json:"url" jsonschema:"the http or https URL"`
	Method  string            `json:"method" jsonschema:"the method" default:"GET" enum:"GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS"`
	Headers map[string]string `json:"headers,omitempty" jsonschema:"headers of the request"`
	Body    string            `json:"body,omitempty" jsonschema:"the body to send"`
	Seconds int               `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"30" minimum:"1" maximum:"300"`
	Max     int               `json:"max_bytes" jsonschema:"the maximum number of bytes to read" default:"200000" minimum:"1" maximum:"5000000"`
	Raw     bool              `json:"raw" jsonschema:"return the HTML of a page instead of its text" default:"false"`
}

// notYours are headers that belong to the connection.
var notYours = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Keep-Alive", "Accept-Encoding"}

// send sends a request, and calls use with the response while the connection is open.
func (s *Set) send(ctx context.Context, in httpRequestIn, use func(*http.Response) error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(in.Seconds)*time.Second)
	defer cancel()
	u, err := url.Parse(in.URL)
	if err != nil {
		return agent.Failure(agent.Validation, "%q is not a URL", in.URL)
	}
	if err := s.Web.check(u); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, in.Method, u.String(), strings.NewReader(in.Body))
	if err != nil {
		return agent.Failure(agent.Validation, "%w", err)
	}
	for name, value := range in.Headers {
		name = http.CanonicalHeaderKey(name)
		if slices.Contains(notYours, name) || strings.HasPrefix(name, "Proxy-") || strings.ContainsAny(value, "\r\n\x00") {
			return agent.Failure(agent.Validation, "the header %q cannot be set to this value", name)
		}
		request.Header.Set(name, value)
	}
	headers := request.Header.Clone()
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", "toolparse")
	}
	response, err := s.Web.client(headers).Do(request)
	if err != nil {
		if typed, ok := errors.AsType[*agent.Error](err); ok {
			return typed
		}
		e := agent.Categorize(err)
		if e.Category == agent.Execution && e.Code == "" {
			e.Category = agent.Network
		}
		return e
	}
	defer response.Body.Close()
	return use(response)
}

func (s *Set) httpRequest(ctx context.Context, in httpRequestIn) (result agent.Result, err error) {
	err = s.send(ctx, in, func(r *http.Response) error {
		result, err = answer(r, in)
		return err
	})
	return result, err
}

// answer returns a response as the output of a tool.
func answer(r *http.Response, in httpRequestIn) (agent.Result, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(in.Max)+1))
	cut := len(body) > in.Max
	if cut {
		body = body[:in.Max]
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(body))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP %s\nContent-Type: %s\n", r.Status, kind)
	if final := r.Request.URL.String(); final != in.URL {
		fmt.Fprintf(&b, "URL: %s\n", final)
	}
	b.WriteString("\n")
	switch text, ok := textOf(body, kind, r.Header.Get("Content-Type")); {
	case !ok:
		fmt.Fprintf(&b, "[%d bytes that are not text; download writes them to a file]", len(body))
	case kind == "text/html" && !in.Raw:
		b.WriteString(pageText(text))
	default:
		b.WriteString(text)
	}
	if cut {
		fmt.Fprintf(&b, "\n[the rest is left out; it has more than %d bytes]", in.Max)
	}
	result := agent.Result{Output: b.String(), Metadata: map[string]any{"status": r.StatusCode, "url": r.Request.URL.String(), "content_type": kind, "truncated": cut}}
	if err != nil {
		return result, agent.Failure(agent.Network, "the answer broke off: %w", err)
	}
	return result, statusError(r)
}

// statusError returns the error for a status.
func statusError(r *http.Response) error {
	switch {
	case r.StatusCode < 400:
		return nil
	case r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusGone:
		return agent.Failure(agent.NotFound, "the server answered %s", r.Status)
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500:
		return agent.Failure(agent.Network, "the server answered %s", r.Status)
	}
	return agent.Failure(agent.Execution, "the server answered %s", r.Status)
}

// textOf returns a body as UTF-8, if it is text.
func textOf(body []byte, kind, header string) (string, bool) {
	isText := strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") ||
		slices.Contains([]string{"application/json", "application/xml", "application/javascript", "application/x-ndjson", "application/yaml", "application/toml", "application/x-www-form-urlencoded"}, kind)
	if !isText && strings.HasPrefix(http.DetectContentType(body), "text/plain") && kind != "application/octet-stream" {
		isText = true
	}
	if !isText || slices.Contains(body, 0) {
		return "", len(body) == 0
	}
	if _, parameters, _ := mime.ParseMediaType(header); slices.Contains([]string{"iso-8859-1", "latin1", "windows-1252"}, strings.ToLower(parameters["charset"])) {
		text, _ := io.ReadAll(&latin1{bufio.NewReader(bytes.NewReader(body))})
		return string(text), true
	}
	return strings.ToValidUTF8(string(body), "\uFFFD"), true
}

type httpGetIn struct {
	URL     string            `json:"url" jsonschema:"the http or https URL"`
	Headers map[string]string `json:"headers,omitempty" jsonschema:"headers of the request"`
}

func (s *Set) httpGet(ctx context.Context, in httpGetIn) (agent.Result, error) {
	return s.httpRequest(ctx, httpRequestIn{URL: in.URL, Method: http.MethodGet, Headers: in.Headers, Seconds: 30, Max: 200_000})
}

type httpPostIn struct {
	URL     string            `json:"url" jsonschema:"the http or https URL"`
	Headers map[string]string `json:"headers,omitempty" jsonschema:"headers of the request"`
	Body    string            `json:"body" jsonschema:"the body to send"`
}

func (s *Set) httpPost(ctx context.Context, in httpPostIn) (agent.Result, error) {
	return s.httpRequest(ctx, httpRequestIn{URL: in.URL, Method: http.MethodPost, Headers: in.Headers, Body: in.Body, Seconds: 30, Max: 200_000})
}

type downloadIn struct {
	URL  string `json:"url" jsonschema:"the http or https URL"`
	Path string `json:"path" jsonschema:"the file to create; it must not exist"`
}

func (s *Set) download(ctx context.Context, in downloadIn) (result agent.Result, err error) {
	to, err := s.target(in.Path)
	if err != nil {
		return result, err
	}
	if to.before != nil {
		return result, advise(agent.Failure(agent.Validation, "%s already exists", in.Path), "Choose another name.")
	}
	request := httpRequestIn{URL: in.URL, Method: http.MethodGet, Seconds: int(maxTimeout.Seconds())}
	err = s.send(ctx, request, func(r *http.Response) error {
		if err := statusError(r); err != nil {
			return err
		}
		if r.ContentLength > maxCopied {
			return tooLarge(in.URL, r.ContentLength, maxCopied)
		}
		created, err := s.makeFolders(in.Path, path.Dir(to.rel))
		result.Changes = created
		if err != nil {
			return err
		}
		var size int64
		err = s.write(to, func(w io.Writer) error {
			if size, err = io.Copy(w, io.LimitReader(r.Body, maxCopied+1)); err == nil && size > maxCopied {
				return tooLarge(in.URL, size, maxCopied)
			}
			return err
		})
		if err == nil {
			result.Output, result.Changes = fmt.Sprintf("wrote %d bytes to %s", size, in.Path), append(created, to.change())
		}
		return err
	})
	return result, err
}
