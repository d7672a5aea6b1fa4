package clients

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
)

// Every client understands every recording, whoever's it is, once it is written
// as the client's own wire.
func TestClientsReadStreams(t *testing.T) {
	for _, r := range recordings(t) {
		for _, c := range clients {
			t.Run(r.name+" as "+string(c.wire), func(t *testing.T) {
				var out bytes.Buffer
				losses, _ := format.TranslateStream(&out, bytes.NewReader(r.body), r.wire, c.wire, format.TranslateOptions{})
				got, err := c.stream(t, serve(t, contentType(c.wire, true), out.Bytes()).URL)
				want := r.expected(c.wire, losses)
				got.Failed = got.Failed || err != nil
				if r.Restarted { // what came before is told already: with a call open, that is an error
					if !got.Failed && !strings.HasSuffix(got.Text, want.Text) {
						t.Errorf("%+v", got)
					}
					return
				}
				if got.Failed != want.Failed {
					t.Errorf("error %v, should fail: %v", err, want.Failed)
				}
				if want.Failed { // how far the client has come, is up to it
					return
				}
				if c.wire != format.Gemini && c.wire != format.Ollama { // which do without
					fill(want.Calls, got.Calls)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-recorded +client):\n%s\nlosses %v\n%s", diff, losses, out.String())
				}
			})
		}
	}
}

// fill puts in the ids that had to be made, which must be some.
func fill(want, got []call) {
	for i := range want {
		if i < len(got) && want[i].ID == "" {
			want[i].ID = got[i].ID
			if got[i].ID == "" {
				want[i].ID = "an id"
			}
		}
	}
}
