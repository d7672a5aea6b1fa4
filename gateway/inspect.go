package gateway

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/view"
)

// inspector keeps the last requests for the pages below /inspect. It is nil if there are
// no such pages.
type inspector struct {
	session string // the cookie's value for browsers that have presented the token
	mu      sync.Mutex
	records []*record // oldest first
}

// maxRecords limits the number of requests that are kept. Each one's picture is limited,
// too.
const maxRecords = 50

func newInspector(on bool) *inspector {
	if !on {
		return nil
	}
	return &inspector{session: newID()}
}

// record is a request that is kept. Its methods accept nil, and do nothing then.
type record struct {
	mu      sync.Mutex
	id      string
	client  string
	began   time.Time
	took    time.Duration // 0 while it runs
	status  int
	failed  string
	model   string
	counts  counts
	tries   int
	secrets []string
	picture view.Picture
}

// begin records a new request, and removes the oldest one.
func (i *inspector) begin(u *setup, r *http.Request, e *entry, body []byte) {
	if i == nil {
		return
	}
	rec := &record{id: e.id, client: string(e.front.wire), began: e.began, secrets: u.secrets(r)}
	rec.picture.AddBody("Request as it came", indented(body))
	e.record = rec
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.records) == maxRecords {
		i.records = slices.Delete(i.records, 0, 1)
	}
	i.records = append(i.records, rec)
}

// secrets returns what no page may show.
func (u *setup) secrets(r *http.Request) []string {
	list := []string{u.opts.Token, keyOf(r)}
	for _, t := range u.targets {
		list = append(list, t.Key)
	}
	return slices.DeleteFunc(list, func(s string) bool { return len(s) < 4 })
}

// Limits for a body that is formatted: bytes, and nesting, by whose square it grows.
const (
	maxIndented      = 1 << 20
	maxIndentedDepth = 32
)

// indented formats a body. One that exceeds the limits stays as it is.
func indented(body []byte) string {
	var out bytes.Buffer
	if len(body) > maxIndented || nesting(body) > maxIndentedDepth || json.Indent(&out, body, "", "  ") != nil {
		return string(body)
	}
	return out.String()
}

// nesting returns the depth of JSON.
func nesting(body []byte) (deepest int) {
	depth, inText := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			i++
		case inText:
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

// sent records a request to the upstream, either the first one or a repetition. Parts of
// an answer that came before belong to an attempt that failed.
func (rec *record) sent(p *prepared) {
	if rec == nil {
		return
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	title := "Request as it was sent"
	if rec.tries++; rec.tries > 1 {
		rec.picture.Restart(fmt.Sprintf("Answer %d, which was requested again", rec.tries-1))
		title = fmt.Sprintf("Request %d as it was sent", rec.tries)
	}
	rec.model = p.model
	rec.picture.AddBody(title, indented(p.body))
	rec.picture.Losses = nil
	for _, l := range p.losses {
		rec.picture.Losses = append(rec.picture.Losses, l.String())
	}
}

func (rec *record) event(e toolparse.StreamEvent) {
	if rec == nil {
		return
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.picture.Add(e, view.Since(time.Since(rec.began)))
}

func (rec *record) noted(notes []toolparse.Note) {
	if rec == nil {
		return
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.picture.AddNotes(notes)
}

// end records how a request ended.
func (rec *record) end(e *entry, took time.Duration) {
	if rec == nil {
		return
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.took, rec.status, rec.counts = max(took, 1), e.status, e.counts
	if e.failed != nil {
		rec.failed = e.failed.message
	}
}

// row returns the record as a row of the list.
func (rec *record) row() view.Row {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	row := view.Row{
		Link: inspectPath + "/" + rec.id, At: rec.began.Format("15:04:05.000"), Running: rec.took == 0, Good: rec.failed == "",
		Cells: []string{rec.client, rec.model, "", "", "", ""},
	}
	if !row.Running {
		copy(row.Cells[2:], []string{strconv.Itoa(rec.status), strconv.Itoa(rec.counts.calls), strconv.Itoa(rec.counts.tolerances), view.Since(rec.took)})
	}
	return row
}

// write writes the record as a page, or only the part that changes.
func (rec *record) write(out *bytes.Buffer, nonce string, part bool) error {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	p := &rec.picture
	p.Title, p.Error = "Request "+rec.id, rec.failed
	p.Facts = []view.Fact{{Name: "client", Value: rec.client}, {Name: "model", Value: rec.model}, {Name: "began", Value: rec.began.Format("15:04:05.000")}}
	if rec.took > 0 {
		p.Facts = append(p.Facts, view.Fact{Name: "status", Value: strconv.Itoa(rec.status)}, view.Fact{Name: "took", Value: view.Since(rec.took)})
	} else {
		p.Facts = append(p.Facts, view.Fact{Name: "status", Value: "running"})
	}
	return p.Live(out, nonce, inspectPath, part)
}

// inspectPath is the path of the pages.
const inspectPath = "/inspect"

// inspectCookie is the cookie of browsers that have presented the token.
const inspectCookie = "toolparse_inspect"

// inspect shows the list of requests or, with an id in the path, one of them, to browsers
// on this machine.
func (s *Server) inspect(w http.ResponseWriter, r *http.Request) {
	u := s.current.Load()
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	switch {
	case s.inspector == nil:
		s.notFound(w, r)
		return
	case !modelhttp.IsLoopback(host):
		refused(http.StatusForbidden, "/inspect is for browsers on this machine").send(w, frontOf(r))
		return
	}
	if err := u.admitPage(r); err != nil {
		err.send(w, frontOf(r))
		return
	}
	if !s.inspector.knows(r) {
		if err := u.admitKey(r); err != nil {
			err.message += "; open /inspect?key=TOKEN once"
			err.send(w, frontOf(r))
			return
		}
		http.SetCookie(w, &http.Cookie{Name: inspectCookie, Value: s.inspector.session, Path: inspectPath, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	nonce, part := newID(), r.URL.Query().Has("part")
	var page bytes.Buffer
	secrets, err := s.inspector.write(&page, r.PathValue("id"), nonce, part)
	if err != nil {
		refused(http.StatusNotFound, err.Error()).send(w, frontOf(r))
		return
	}
	text := page.String()
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, template.HTMLEscapeString(secret), "[redacted]")
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-"+nonce+"'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write([]byte(text)) // ignore browsers that are gone
}

// knows reports whether a browser has presented the token before.
func (i *inspector) knows(r *http.Request) bool {
	c, err := r.Cookie(inspectCookie)
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(i.session)) == 1
}

// write writes a page, and returns what the page must not show.
func (i *inspector) write(out *bytes.Buffer, id, nonce string, part bool) (secrets []string, err error) {
	i.mu.Lock()
	records := slices.Clone(i.records)
	i.mu.Unlock()
	if id == "" {
		list := view.List{Nonce: nonce, Part: part}
		for _, rec := range slices.Backward(records) {
			list.Rows = append(list.Rows, rec.row())
			secrets = append(secrets, rec.secrets...)
		}
		return secrets, list.Write(out)
	}
	for _, rec := range records {
		if rec.id == id {
			return rec.secrets, rec.write(out, nonce, part)
		}
	}
	return nil, fmt.Errorf("the request %q is no longer kept", id)
}
