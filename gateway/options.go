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
	"github.com/toolparse/toolparse/internal/dialect"
)

// Profile says how requests are changed for the upstream.
type Profile string

// The profiles.
const (
	// ProfileTemplate is for servers that render a model's chat template: one system
	// message at the beginning, alternating turns, only functions, and no texts that
	// change with every request, so that the server's prompt cache works.
	ProfileTemplate Profile = "template"
	// ProfileVendor uses only what the vendor of the upstream's wire documents.
	ProfileVendor Profile = "vendor"
)

// known lists the profiles.
func (Profile) known() []Profile { return []Profile{ProfileTemplate, ProfileVendor} }

// Options configure a Server.
type Options struct {
	// Targets are the available models, and the servers that run them.
	Targets []Target

	// Token is the API key that clients must send; "" means none.
	Token string
	// Hosts are names that clients may use for the server, in addition to those of the
	// loopback interface. Requests for other hosts are rejected, because web pages could
	// let a name resolve to this machine. "*" allows all.
	Hosts []string
	// Origins are the origins of web pages that may use the server; "*" allows all.
	Origins []string

	Limits   Limits
	Timeouts Timeouts

	// Log receives a line for each request, without bodies and keys. Nil disables the
	// log.
	Log *slog.Logger
	// Audit receives a line of JSON, in one Write, for each request to a model: sizes,
	// times and counts. Nil disables it.
	Audit io.Writer
	// Store keeps the conversations that clients of Responses continue by id. Without a
	// file, such requests are rejected.
	Store Store
	// Inspect shows the last requests in full at /inspect, to browsers on this machine.
	//
	// [Server.Reload] does not change Log, Audit, Store and Inspect.
	Inspect bool
}

// Store is a file of conversations. Only one process at a time can open it.
type Store struct {
	File     string        // "" means none
	TTL      time.Duration // since the last use of a conversation; 0 means 30 days
	MaxBytes int64         // total size; 0 means 1 GiB
}

// Target is one or several models, the server that runs them, and how requests for them
// are changed.
type Target struct {
	// Names are the names of the models for clients: whole names, or prefixes that end in
	// *. The longest match decides. A target without Names gets the requests for all
	// other models.
	Names []string

	// Upstream is the base URL of the server, in the vendor's form: up to and including
	// /v1 for OpenAI's wires, the host for the others.
	Upstream string
	// Wire is the wire format of the upstream; "" means OpenAI.
	Wire format.Wire
	// Model is the upstream's name of the model; "" means the name that the client uses.
	Model string
	// Key is the API key for the upstream.
	Key string
	// PassKey sends the client's key to the upstream if Key is "".
	PassKey bool

	// Dialect is the syntax in which the model writes calls as text. With a dialect,
	// the server sends no native tools. Without one, it does, and finds calls that leak into
	// text or reasoning.
	Dialect *dialect.Dialect
	// StartInReasoning means that the model's chat template opens the reasoning.
	StartInReasoning bool
	// Prompted means that prompts end as the template of the Dialect's models ends them, such
	// as with an opener of reasoning, which answers then lack. It needs a Dialect.
	Prompted bool
	// Profile "" means ProfileTemplate with a dialect that writes calls as text.
	// Otherwise it means that requests may use extensions that several servers of the
	// upstream's wire support.
	Profile Profile
	// MaxTokens limits answers to requests without a limit; 0 means none.
	MaxTokens int

	// Constrain forces the model to write well-formed calls, if the upstream supports it.
	Constrain Constraint
	// Reask is the maximum number of times that a model is asked again because its answer
	// has a broken call or not the required format. Answers that may need it are held
	// until they are complete, and the client gets only the last one.
	Reask int
}

// Limits limit what a client or the upstream can make the server hold.
type Limits struct {
	RequestBytes int64 `toml:"request_bytes"` // of a request; 0 means 64 MiB
	EventBytes   int   `toml:"event_bytes"`   // of one event of the upstream; 0 means 32 MiB
	AnswerBytes  int64 `toml:"answer_bytes"`  // of one answer of the upstream; 0 means 1 GiB
	Concurrent   int   `toml:"concurrent"`    // concurrent requests; 0 means 2048
	Tools        int   `toml:"tools"`         // of a request; 0 means 2048
	Messages     int   `toml:"messages"`      // of a request; 0 means 50,000
	// Values limits the JSON values of a request, approximately: objects and lists, such as
	// the parts of messages, and their members and elements. 0 means 500,000.
	Values  int `toml:"values"`
	Retries int `toml:"retries"` // of a request, before the first byte of the answer; 0 means 2, a negative number none
}

// defaultValues is the default of Limits.Values. Long conversations of agents have some
// ten thousand, and decoding takes up to 300 bytes for each.
const defaultValues = 500_000

const defaultRetries = 2

// Timeouts limit how long the server waits.
type Timeouts struct {
	Connect   time.Duration // for a connection to the upstream; 0 means 10 s
	FirstByte time.Duration // for the upstream's answer to begin; 0 means 10 min
	Idle      time.Duration // between two reads from the upstream; 0 means 5 min
	Write     time.Duration // for one piece to the client; 0 means 1 min
	KeepAlive time.Duration // between keep-alives to a waiting client; 0 means 10 s
	Request   time.Duration // for the whole body of a client's request; 0 means 2 min
	// Retry is the longest wait that an upstream may request before a request is sent
	// again; 0 means 20 s. If its Retry-After is longer, the client gets the error with
	// that header, and can decide itself.
	Retry time.Duration
}

// Check returns the error that [New] would return for these options, if it can open the
// store.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults validates the options and fills in the defaults.
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
				return o, fmt.Errorf("gateway: two targets have the model %q", name)
			}
			taken[name] = true
		}
	}
	l, t := &o.Limits, &o.Timeouts
	l.RequestBytes, l.EventBytes = cmp.Or(l.RequestBytes, 64<<20), cmp.Or(l.EventBytes, 32<<20)
	l.Tools, l.Messages, l.Values = cmp.Or(l.Tools, 2048), cmp.Or(l.Messages, 50_000), cmp.Or(l.Values, defaultValues)
	l.AnswerBytes, l.Concurrent, l.Retries = cmp.Or(l.AnswerBytes, 1<<30), cmp.Or(l.Concurrent, 2048), cmp.Or(l.Retries, defaultRetries)
	t.Connect, t.FirstByte = cmp.Or(t.Connect, 10*time.Second), cmp.Or(t.FirstByte, 10*time.Minute)
	t.Idle, t.Write, t.KeepAlive = cmp.Or(t.Idle, 5*time.Minute), cmp.Or(t.Write, time.Minute), cmp.Or(t.KeepAlive, 10*time.Second)
	t.Request, t.Retry = cmp.Or(t.Request, 2*time.Minute), cmp.Or(t.Retry, 20*time.Second)
	o.Store.TTL, o.Store.MaxBytes = cmp.Or(o.Store.TTL, 30*24*time.Hour), cmp.Or(o.Store.MaxBytes, 1<<30)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func (t *Target) setDefaults() error {
	if t.Upstream == "" {
		return errors.New("gateway: no upstream")
	}
	if err := checkURL(t.Upstream); err != nil {
		return fmt.Errorf("gateway: upstream: %w", err)
	}
	t.Wire, t.Constrain = cmp.Or(t.Wire, format.OpenAI), cmp.Or(t.Constrain, ConstrainOff)
	if t.Dialect != nil && t.Dialect.Native() {
		t.Dialect = nil
	}
	for _, name := range t.Names {
		if strings.Contains(strings.TrimSuffix(name, "*"), "*") || name == "" {
			return fmt.Errorf("gateway: model %q: a * is only allowed at the end", name)
		}
	}
	if t.Profile == "" && t.Dialect != nil {
		t.Profile = ProfileTemplate
	}
	if t.Profile != "" && !slices.Contains(t.Profile.known(), t.Profile) {
		return fmt.Errorf("gateway: unknown profile %q, want one of %v", t.Profile, t.Profile.known())
	}
	return t.checkConstraint()
}

// checkURL checks the base URL of an upstream.
func checkURL(text string) error {
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return fmt.Errorf("%q: expected a URL like http://127.0.0.1:8080/v1", text)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return errors.New("expected a URL without user, query and fragment")
	}
	return nil
}
