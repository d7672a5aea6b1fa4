package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway/store"
	"github.com/toolparse/toolparse/parser"
)

// Profile says what is made of requests before the upstream gets them.
type Profile string

// The profiles.
const (
	// ProfileTemplate is for servers that write the prompt by a model's chat template:
	// one system message, at the beginning; turns that alternate; functions only; no
	// texts that change with every request, so that the server's cache of prompts works.
	ProfileTemplate Profile = "template"
	// ProfileVendor keeps to what the vendor of the upstream's wire documents.
	ProfileVendor Profile = "vendor"
)

// Options configure a Server.
type Options struct {
	// Targets are the models that there are, and the servers that run them.
	Targets []Target

	// Token is what clients must present as their API key; "" asks for none.
	Token string
	// Hosts are names, beside those of the loopback interface, that clients may have
	// for the server. A request for another host is refused, which keeps web pages out
	// that have their name resolve to this machine. "*" allows all.
	Hosts []string
	// Origins are those of web pages that may use the server; "*" allows all.
	Origins []string

	Limits   Limits
	Timeouts Timeouts

	// Log gets a line for each request: never a body, never a key. Nil logs nothing.
	Log *slog.Logger
	// Audit gets a line of JSON, in one write, for each request that asks a model: its
	// sizes, times and counts. Nil writes none.
	//
	Audit io.Writer
	// Store keeps the conversations that clients of Responses go on from by their ids.
	// Nil keeps none, and refuses such requests. The caller closes it.
	//
	Store *store.Store
	// Inspect shows the last requests, with all that was said, at /inspect, to browsers
	// on this machine.
	//
	// [Server.Reload] leaves Log, Audit, Store and Inspect as they are.
	Inspect bool
}

// Target is a model, or several, on the server that runs it, and what is made of
// requests for it.
type Target struct {
	// Names are the models that clients ask for: whole names, or beginnings of names
	// that end in *. The longest that fits decides. Without Names the target takes
	// every model that no other does.
	Names []string

	// Upstream is the base URL of the server that runs the model, as its vendor
	// documents it: up to and with /v1 for OpenAI's wires, the host for the others.
	Upstream string
	// Wire is what the upstream speaks; OpenAI where it is "".
	Wire format.Wire
	// Model is asked for, whatever model a client names.
	Model string
	// Key is the upstream's API key.
	Key string
	// PassKey sends the client's key to the upstream where there is no Key.
	PassKey bool

	// Dialect is how the model writes calls in text. With one, no native tools are
	// sent; without, they are, and calls that leak into text or reasoning are recovered.
	Dialect *parser.Dialect
	// StartInReasoning: the model's template opens the reasoning.
	StartInReasoning bool
	// Profile is ProfileTemplate with a dialect that writes calls in text where it is
	// "". Natively "" means what servers of the upstream's wire have agreed on.
	Profile Profile
	// MaxTokens limits answers to requests that set no limit; 0 sets none.
	MaxTokens int

	// Constrain holds the model to well-formed calls, where the upstream can.
	Constrain Constraint
	// Reask is how often a model may be asked again for an answer with a broken call, or
	// one of another form than was asked for. Answers that could be such are then held
	// until they are whole: the client sees the last one only.
	Reask int
}

// Limits bound what a client or the upstream can make the server hold.
type Limits struct {
	RequestBytes int64 // of a request's body; 64 MiB where it is 0
	EventBytes   int   // of one event of the upstream; 32 MiB where it is 0
	AnswerBytes  int64 // of the upstream's whole answer; 1 GiB where it is 0
	Concurrent   int   // requests at once; 2048 where it is 0
	Retries      int   // of a request, before the first byte; 2 where it is 0, none below
}

// Timeouts bound how long the server waits.
type Timeouts struct {
	Connect   time.Duration // to the upstream; 10 s where it is 0
	FirstByte time.Duration // of the upstream's answer; 10 min where it is 0
	Idle      time.Duration // between two reads from the upstream; 5 min where it is 0
	Write     time.Duration // of one piece to the client; 1 min where it is 0
	KeepAlive time.Duration // between signs of life to a client that waits; 10 s where it is 0
	Request   time.Duration // for the whole body of a client's request; 2 min where it is 0
	// Retry is the longest that an upstream may have the server wait before a request is
	// sent again; 20 s where it is 0. Where the upstream's Retry-After asks for more, the
	// client gets its answer with that header, and decides itself.
	Retry time.Duration
}

// Check returns what is wrong with the options, as [New] would.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns checked options in which nothing is left open.
func (o Options) withDefaults() (Options, error) {
	if len(o.Targets) == 0 {
		return o, errors.New("gateway: no upstream")
	}
	o.Targets = slices.Clone(o.Targets)
	taken := map[string]bool{}
	for i := range o.Targets {
		t := &o.Targets[i]
		if err := t.setDefaults(); err != nil {
			return o, err
		}
		if t.PassKey && o.Token != "" {
			return o, errors.New("gateway: the key of a client is the token of this server, which must not go to the upstream")
		}
		names := t.Names
		if len(names) == 0 {
			names = []string{"*"}
		}
		for _, name := range names {
			if taken[name] {
				return o, fmt.Errorf("gateway: two targets take the model %q", name)
			}
			taken[name] = true
		}
	}
	l, t := &o.Limits, &o.Timeouts
	l.RequestBytes, l.EventBytes = cmp.Or(l.RequestBytes, 64<<20), cmp.Or(l.EventBytes, 32<<20)
	l.AnswerBytes, l.Concurrent, l.Retries = cmp.Or(l.AnswerBytes, 1<<30), cmp.Or(l.Concurrent, 2048), cmp.Or(l.Retries, 2)
	t.Connect, t.FirstByte = cmp.Or(t.Connect, 10*time.Second), cmp.Or(t.FirstByte, 10*time.Minute)
	t.Idle, t.Write, t.KeepAlive = cmp.Or(t.Idle, 5*time.Minute), cmp.Or(t.Write, time.Minute), cmp.Or(t.KeepAlive, 10*time.Second)
	t.Request, t.Retry = cmp.Or(t.Request, 2*time.Minute), cmp.Or(t.Retry, 20*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func (t *Target) setDefaults() error {
	base, err := url.Parse(t.Upstream)
	switch {
	case t.Upstream == "":
		return errors.New("gateway: no upstream")
	case err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return fmt.Errorf("gateway: upstream %q: expected a URL like http://127.0.0.1:8080/v1", t.Upstream)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return errors.New("gateway: upstream: expected a URL without user, query and fragment")
	}
	t.Wire = cmp.Or(t.Wire, format.OpenAI)
	if t.Dialect != nil && t.Dialect.Native() {
		t.Dialect = nil
	}
	for _, name := range t.Names {
		if strings.Contains(strings.TrimSuffix(name, "*"), "*") || name == "" {
			return fmt.Errorf("gateway: model %q: a * stands at the end", name)
		}
	}
	switch t.Profile {
	case "":
		if t.Dialect != nil {
			t.Profile = ProfileTemplate
		}
	case ProfileTemplate, ProfileVendor:
	default:
		return fmt.Errorf("gateway: unknown profile %q, want %s or %s", t.Profile, ProfileTemplate, ProfileVendor)
	}
	return t.checkConstraint()
}
