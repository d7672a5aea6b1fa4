package modelhttp

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/htmlpage"
	"github.com/toolparse/toolparse/internal/wire"
)

// Answered says with which status a server answered.
func Answered(server string, status int) string {
	return strings.TrimSpace(server + " answered " + strconv.Itoa(status) + " " + http.StatusText(status))
}

// ErrorIn returns the error that the body of a refusal reports in the form of a wire, or one
// with an empty message, and the text of a body in any other form: what a page says, or the
// body itself.
func ErrorIn(w format.Wire, body []byte) (reported wire.Error, text string) {
	for d := range format.NewStream(bytes.NewReader(body), format.Options{Wire: w}).Deltas() {
		if e := wire.Reported(d); e != nil {
			reported = *e
			break
		}
	}
	if page, _ := htmlpage.Find(body); page != nil {
		return reported, page.Error()
	}
	return reported, strings.TrimSpace(strings.ToValidUTF8(string(body), "\ufffd"))
}
