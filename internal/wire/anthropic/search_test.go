package anthropic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// Other wires get a search result as a text, which says all of it; this wire gets it as it
// was, unless the text has changed.
func TestSearchResults(t *testing.T) {
	const block = `{"type":"search_result","source":"https://example.com/a","title":"About a","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]`
	for _, tt := range []struct {
		name, content string
		want          string   // what other wires get
		lost          []string // what they do not get
	}{
		{"alone", `[` + block + `}]`, `About a\nhttps://example.com/a\none\ntwo`, nil},
		{"with settings", `[` + block + `,"citations":{"enabled":true}}]`, `About a\nhttps://example.com/a\none\ntwo`, []string{"messages[2].parts[0].result.parts[0].citations"}},
		{"among others", `[{"type":"text","text":"first"},` + block + `}]`, `About a\nhttps://example.com/a\none\ntwo`, nil},
		{"with other content", `[` + strings.Replace(block, `"text":"two"`, `"text":"two","x":1`, 1) + `}]`, "", []string{"messages[2].parts[0].result.parts[0]"}},
		{"without a title", `[` + strings.Replace(block, `"title":"About a",`, "", 1) + `}]`, "", []string{"messages[2].parts[0].result.parts[0]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":` + tt.content + `}]}]}`
			req, err := codec.DecodeRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			again, losses := codec.EncodeRequest(req, wire.Options{})
			if diff := cmp.Diff(jsonOf(t, body), jsonOf(t, string(again))); diff != "" || len(losses) > 0 {
				t.Errorf("losses %v (-want +got):\n%s", losses, diff)
			}
			for _, wireName := range format.Wires() {
				if wireName == format.Anthropic {
					continue
				}
				other, err := all.CodecOf(wireName)
				if err != nil {
					t.Fatal(err)
				}
				translated, losses := other.EncodeRequest(req, wire.Options{})
				var lost []string
				for _, l := range losses {
					if strings.Contains(l.Field, "result.parts[") && !l.Minor {
						lost = append(lost, l.Field)
					}
				}
				if diff := cmp.Diff(tt.lost, lost); diff != "" || !strings.Contains(string(translated), tt.want) {
					t.Errorf("%s gets %s\nlosses (-want +got):\n%s", wireName, translated, diff)
				}
			}
			if part := &req.Messages[2].Parts[0].Result.Parts[len(req.Messages[2].Parts[0].Result.Parts)-1]; part.Kind == chat.PartText {
				part.Text = "changed"
				if again, _ := codec.EncodeRequest(req, wire.Options{}); !strings.Contains(string(again), `{"type":"text","text":"changed"`) {
					t.Errorf("a changed text is written %s", again)
				}
			}
		})
	}
}
