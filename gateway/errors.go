package gateway

import (
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/wire"
)

// failure is an error with an HTTP status for the client.
type failure struct {
	status     int
	code       string
	message    string
	logged     string // replaces the message in the log, if that quotes the upstream
	retryAfter string // as the upstream requests
	final      bool   // do not send the request again, whatever the status
}

// ownWords replaces the upstream's message in the log, because it may quote the request.
const ownWords = " (the client has its words; --inspect shows them)"

// hide removes a key from the upstream's message, because some upstreams quote a key that
// they reject.
func (e *failure) hide(key string) {
	e.message, e.code = withoutKey(e.message, key), withoutKey(e.code, key)
}

// withoutKey removes a key from a text.
func withoutKey(text, key string) string {
	const short = 8 // shorter keys may be ordinary words
	if len(key) < short {
		return text
	}
	return strings.ReplaceAll(text, key, "[key]")
}

func (e *failure) Error() string { return e.message }

// refused is a failure that the client has caused.
func refused(status int, message string) *failure { return &failure{status: status, message: message} }

// unreadable converts an error of a decoder of requests to a failure that names the place.
func unreadable(what string, err error) *failure {
	wrong, ok := errors.AsType[*format.SyntaxError](err)
	if !ok {
		return refused(http.StatusBadRequest, what+": "+err.Error())
	}
	what += ", at byte " + strconv.FormatInt(wrong.Offset, 10) + ": "
	if wrong.Field != "" {
		what += wrong.Field + ": "
	}
	return refused(http.StatusBadRequest, what+wrong.Err.Error())
}

// failureOf converts an error of ours or of the upstream's stream to a failure.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if reported, ok := errors.AsType[*format.ReportedError](err); ok {
		return &failure{status: http.StatusBadGateway, code: reported.Code, message: cmp.Or(reported.Message, reported.Error()), logged: "the upstream's answer contains an error" + ownWords}
	}
	f := refused(http.StatusBadGateway, "upstream: "+err.Error())
	_, page := errors.AsType[*format.HTMLError](err)
	_, other := errors.AsType[*format.PlainTextError](err)
	if page || other {
		f.logged = "the upstream's answer is neither JSON nor events" + ownWords
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		f.logged = f.message
		f.message = strings.ReplaceAll(f.message, op.Error(), cause(op))
	}
	return f
}

// notReached is the failure for an upstream that did not answer. Its address is only for
// the log, not for clients.
func (t *target) notReached(err error) error {
	who := "the upstream"
	if len(t.Names) > 0 {
		who += " of the model " + strconv.Quote(t.Names[0])
	}
	f := refused(http.StatusBadGateway, who+" cannot be reached: "+cause(err)+"; the log of toolparse serve has its address")
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		f = refused(http.StatusGatewayTimeout, who+" did not answer in time")
	}
	f.logged = who + ": " + err.Error()
	return f
}

// cause describes why a connection failed, without an address.
func cause(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "its name is not known"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not valid"
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it closed the connection"
	}
	return "the connection failed"
}

// send writes the failure in the format of a front.
func (e *failure) send(w http.ResponseWriter, f *front) {
	if e.retryAfter != "" {
		w.Header().Set("Retry-After", e.retryAfter)
	}
	sendJSON(w, e.status, f.server.EncodeError(e.status, wire.Error{Code: e.code, Message: e.message}))
}

// tell answers a request with an error, and logs it.
func tell(w http.ResponseWriter, r *http.Request, f *front, err error) {
	failed := failureOf(err)
	entryOf(r).failed = failed
	failed.send(w, f)
}

// sendJSON writes a whole JSON body.
func sendJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // ignore clients that are gone
}

// maxTold limits the part of an upstream's error that is passed on, if its format is
// unknown.
const maxTold = 2 << 10

// upstreamFailure converts an upstream's error response to a failure.
func upstreamFailure(w format.Wire, status int, header http.Header, body []byte) *failure {
	f := &failure{status: status, retryAfter: header.Get("Retry-After")}
	summary := modelhttp.Answered("the upstream", status)
	if status < 400 || status > 599 {
		f.status, f.final, f.message = http.StatusBadGateway, true, summary
		if header.Get("Location") != "" { // not followed, because that could send the key elsewhere
			f.message = "the upstream answered with a redirect to another address"
		}
		return f
	}
	reported, text := modelhttp.ErrorIn(w, body)
	text = strings.ToValidUTF8(text[:min(len(text), maxTold)], "\ufffd")
	f.code, f.message, f.logged = reported.Code, cmp.Or(reported.Message, text, summary), summary+ownWords
	return f
}
