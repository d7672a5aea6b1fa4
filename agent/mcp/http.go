package mcp

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
)

// httpClient returns a client for one server. It sends the configured headers only to the
// server's own host, and limits answers to maxMessage, except for events.
func httpClient(c *Config, tap *wiretap) (*http.Client, error) {
	base, err := url.Parse(c.URL)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport: &configured{base: base, headers: c.Headers, tap: tap, to: http.DefaultTransport},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= 5 {
				return errors.New("more than 5 redirects")
			}
			if r.URL.Scheme != base.Scheme || r.URL.Host != base.Host {
				return fmt.Errorf("it leads to another server, %s", r.URL.Host)
			}
			return nil
		},
	}, nil
}

// configured adds the configured headers.
type configured struct {
	base    *url.URL
	headers map[string]string
	tap     *wiretap
	to      http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *configured) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != t.base.Host || r.URL.Scheme != t.base.Scheme { // an old server may request it
		return nil, fmt.Errorf("another server than the configured one, %s", r.URL.Host)
	}
	r = r.Clone(r.Context())
	for name, value := range t.headers {
		r.Header.Set(name, value)
		if http.CanonicalHeaderKey(name) == "Host" {
			r.Host = value
		}
	}
	response, err := t.to.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	events := kind == "text/event-stream"
	if !events {
		response.Body = http.MaxBytesReader(nil, response.Body, maxMessage)
	}
	response.Body = &tappedBody{ReadCloser: response.Body, look: t.tap.look, events: events}
	return response, nil
}
