package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
)

// TestInspect: the pages show a request as it came and as it was sent, the model's output
// and the answer, but no secrets.
func TestInspect(t *testing.T) {
	const token, key = "door-token-1", "upstream-key-1"
	u := newUpstream(t, format.OpenAI)
	u.script = [][]chat.Part{
		callOf(t, "hermes", `{"days":3}`),
		{chat.TextPart("I look at <b>it</b>.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\",}}\n</tool_call>")},
	}
	server := newGateway(t, u, func(o *gateway.Options) {
		reasking("hermes", 1, t)(o)
		o.Inspect, o.Token, o.Targets[0].Key = true, token, key
	})
	body := fmt.Sprintf(`{"model":"m-1","stream":true,"messages":[{"role":"user","content":"Weather? My key is %s, theirs %s."}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":%s}}]}`, token, key, weatherTool.Parameters)
	res := postWithKey(t, server.URL+"/v1/chat/completions", token, body)
	io.Copy(io.Discard, res.Body)

	page := func(path string, change func(*http.Request)) (*http.Response, string) {
		r, err := http.NewRequest(http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(r)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res, string(text)
	}
	if res, _ := page("/inspect", nil); res.StatusCode != 401 {
		t.Errorf("without the token: %d", res.StatusCode)
	}
	if res, _ := page("/inspect?key="+token, func(r *http.Request) { r.Host = "evil.example" }); res.StatusCode != 403 {
		t.Errorf("for another host: %d", res.StatusCode)
	}
	if res, _ := page("/inspect?key="+token, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); res.StatusCode != 403 {
		t.Errorf("from another site: %d", res.StatusCode)
	}
	first, list := page("/inspect?key="+token, nil)
	link := regexp.MustCompile(`href="(/inspect/[^"]+)"`).FindStringSubmatch(list)
	if first.StatusCode != 200 || link == nil || len(first.Cookies()) != 1 {
		t.Fatalf("%d %v %s", first.StatusCode, first.Cookies(), list)
	}
	known := func(r *http.Request) { r.AddCookie(first.Cookies()[0]) }
	if policy := first.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	var shown string
	for range 100 { // a request ends a moment after its client has the answer
		if _, shown = page(link[1], known); strings.Contains(shown, "<span>took</span>") {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, want := range []string{
		"Request as it came", "Request as it was sent", "Answer 1, which was requested again", "Request 2 as it was sent", "was not run",
		"I look at &lt;b&gt;it&lt;/b&gt;.", `class="piece call"`, `class="good">complete`, "trailing_comma", "ms</td><td>start", "[redacted]",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, text := range []string{list, shown} {
		for _, never := range []string{token, key, "src=", "http://", "https://", "<b>it"} {
			if strings.Contains(text, never) {
				t.Errorf("the page has %q", never)
			}
		}
	}
	if _, part := page(link[1]+"?part=1", known); strings.Contains(part, "<html") || !strings.Contains(part, "trailing_comma") {
		t.Errorf("a part is %.100s", part)
	}
	if _, rows := page("/inspect?part=1", known); strings.Contains(rows, "<html") || strings.Count(rows, "<tr>") != 1 {
		t.Errorf("rows %s", rows)
	}
	if res, _ := page("/inspect/none", known); res.StatusCode != 404 {
		t.Errorf("no such request: %d", res.StatusCode)
	}
	if res, _ := page("/v1/models", known); res.StatusCode != 401 {
		t.Errorf("the cookie opens the API: %d", res.StatusCode)
	}
}

// TestInspectOff: without the option, nothing is kept or shown.
func TestInspectOff(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	res, err := http.Get(newGateway(t, u, nil).URL + "/inspect")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 404 {
		t.Errorf("%d", res.StatusCode)
	}
}

// TestInspectBounded: only the last requests are kept, including running ones.
func TestInspectBounded(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	server := newGateway(t, u, func(o *gateway.Options) { o.Inspect = true })
	for range 60 {
		res := postBody(t, server, "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`)
		io.Copy(io.Discard, res.Body)
	}
	asked, finish := make(chan bool), make(chan bool)
	u.respond = func(http.ResponseWriter, *http.Request) {
		asked <- true
		<-finish
	}
	done := make(chan bool)
	go func() {
		res, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`))
		if err == nil {
			res.Body.Close()
		}
		close(done)
	}()
	<-asked
	rows := get(t, server.URL+"/inspect?part=1")
	if n := strings.Count(rows, "<tr>"); n != 50 || strings.Count(rows, "running") != 1 {
		t.Errorf("%d requests:\n%s", n, rows)
	}
	close(finish)
	<-done
}

// TestInspectDeep: a page formats the body of a request, unless that would take memory by the
// square of its nesting.
func TestInspectDeep(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for body, want := range map[string]string{
		`{"model":"m-1","messages":[{"role":"user","content":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ \" {{{"}]}`: "\n  &#34;messages&#34;: [\n",
		`{"model":"m-1","deep":[` + deep + "," + deep + "," + deep + `]}`:                                        "&#34;deep&#34;:[[[[[[",
	} {
		u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
		server := newGateway(t, u, func(o *gateway.Options) { o.Inspect = true })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := postWithKey(t, server.URL+"/v1/chat/completions", "", body)
		io.Copy(io.Discard, res.Body)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%.60s: %d bytes", body, grown)
		}
		page, err := http.Get(server.URL + "/inspect/" + res.Header.Get("X-Request-Id"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(page.Body)
		page.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%.60s: %v, %.2000s", body, err, text)
		}
	}
}
