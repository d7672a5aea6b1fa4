package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func noEnv(string) string { return "" }

// started is a run of the program whose input and output are pipes.
type started struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  *bufio.Reader
	stderr bytes.Buffer // to be read after wait
	done   chan int
}

func start(ctx context.Context, t *testing.T, args ...string) *started {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &started{t: t, in: inW, lines: bufio.NewReader(outR), done: make(chan int, 1)}
	go func() {
		code := run(ctx, args, inR, outW, &s.stderr, noEnv)
		outW.Close()
		inR.CloseWithError(errors.New("the program has ended"))
		s.done <- code
	}()
	return s
}

// write hands the program text, and returns once it was read.
func (s *started) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

// line waits for the next line of output.
func (s *started) line() string {
	s.t.Helper()
	line, err := s.lines.ReadString('\n')
	if err != nil {
		s.t.Fatalf("got error %v after %q, want a line", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

func (s *started) wait() (code int, rest, stderr string) {
	s.t.Helper()
	out, err := io.ReadAll(s.lines)
	if err != nil {
		s.t.Fatal(err)
	}
	return <-s.done, string(out), s.stderr.String()
}

// step is one read of the input and the lines that must be out before the
// next one.
type step struct {
	in  string
	out []string
}

// steps is an input that, before it gives its next part, checks that all that
// was known before is out. It closes the gap that a pipe leaves to chance.
type steps struct {
	t    *testing.T
	out  *bytes.Buffer
	next []step
	want string
}

func (s *steps) Read(p []byte) (int, error) {
	s.check()
	if len(s.next) == 0 {
		return 0, io.EOF
	}
	now := s.next[0]
	s.next = s.next[1:]
	for _, line := range now.out {
		s.want += line + "\n"
	}
	return copy(p, now.in), nil
}

func (s *steps) check() {
	if diff := cmp.Diff(s.want, s.out.String()); diff != "" {
		s.t.Errorf("output before the next read (-want +got):\n%s", diff)
	}
}

// What is known from the bytes read so far is printed before the program reads
// on.
func TestParseStreams(t *testing.T) {
	const sse = `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[`
	tests := []struct {
		name  string
		args  []string
		steps []step
	}{
		{"calls in text", []string{"-d", "xml"}, []step{
			{`<tool name="f"><arguments><arg name="a">1</arg></arguments></tool>`,
				[]string{`{"id":"seg_1","name":"f","arguments":{"a":"1"},"status":"complete","dialect":"xml","start":0,"end":66}`}},
			{` and <tool name="g"/>`,
				[]string{`{"id":"seg_3","name":"g","arguments":{},"status":"complete","dialect":"xml","start":71,"end":87}`}},
		}},
		{"calls on a wire", nil, []step{
			{sse + `{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":"}}]}}]}` + "\n\n", nil},
			{sse + `{"index":0,"function":{"arguments":"1}"}}]}}]}` + "\n\n", nil},
			{sse + `{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}]}}]}` + "\n\n",
				[]string{`{"id":"seg_1","call_id":"c1","name":"f","arguments":{"a":1},"status":"complete","dialect":"native"}`}},
			{`data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n",
				[]string{`{"id":"seg_2","call_id":"c2","name":"g","arguments":{},"status":"complete","dialect":"native"}`}},
			{"data: [DONE]\n\n", nil},
		}},
		{"events", []string{"-w", "text", "-o", "events"}, []step{
			{"Hi", []string{
				`{"type":"SEGMENT_START","segment_id":"seg_1","segment_type":"text","payload":{},"raw":""}`,
				`{"type":"SEGMENT_CONTENT","segment_id":"seg_1","segment_type":"text","payload":{"delta":"Hi"},"raw":"Hi"}`}},
			{" you", []string{
				`{"type":"SEGMENT_CONTENT","segment_id":"seg_1","segment_type":"text","payload":{"delta":" you"},"raw":" you"}`}},
		}},
		{"text", []string{"-w", "text", "-o", "text"}, []step{{"Hi\n", []string{"Hi"}}, {"you\n", []string{"you"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			in := &steps{t: t, out: &stdout, next: tt.steps}
			code := run(t.Context(), append([]string{"parse"}, tt.args...), in, &stdout, &stderr, noEnv)
			if code != exitDone || stderr.Len() > 0 {
				t.Errorf("got exit code %d, stderr %q; want 0 and nothing", code, stderr.String())
			}
		})
	}
}

// The first call is printed while the second has yet to arrive.
func TestParsePipes(t *testing.T) {
	s := start(t.Context(), t, "parse")
	s.write(`Both: <tool name="f"/> and <tool na`)
	if got, want := s.line(), `{"id":"seg_2","name":"f","arguments":{},"status":"complete","dialect":"xml","start":6,"end":22}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.write(`me="g"/>`)
	s.in.Close()
	code, rest, stderr := s.wait()
	if want := `{"id":"seg_4","name":"g","arguments":{},"status":"complete","dialect":"xml","start":27,"end":43}` + "\n"; code != exitDone || rest != want || stderr != "" {
		t.Errorf("got exit code %d, stdout %s, stderr %q; want 0, %s and nothing", code, rest, stderr, want)
	}
}

// An interrupt ends the program even while a read of its input never returns;
// what was open is ended first.
func TestParseInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := start(ctx, t, "parse", "-d", "xml", "-o", "events")
	s.write(`<tool name="g"><arguments><arg name="a">xyz`)
	for !strings.Contains(s.line(), "SEGMENT_CONTENT") { // it has read what was written
	}
	cancel()
	code, rest, stderr := s.wait()
	if code != exitFailed || stderr != "toolparse: interrupted\n" {
		t.Errorf("got exit code %d, stderr %q; want 1 and word of the interrupt", code, stderr)
	}
	if want := `"status":"incomplete"`; !strings.Contains(rest, want) {
		t.Errorf("got %q after the interrupt, want the end of the call", rest)
	}
}

// TestWaitInterrupted: an interrupt ends a command that waits for the writer of a named pipe,
// or for standard input.
func TestWaitInterrupted(t *testing.T) {
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe.json")
	if err := exec.Command(mkfifo, pipe).Run(); err != nil {
		t.Skip(err)
	}
	for _, args := range []string{
		"parse PIPE", "batch PIPE", "detect PIPE", "conform PIPE", "view PIPE", "tools PIPE", "parse -d PIPE", "dialects PIPE",
		"translate --from auto --to openai PIPE", "manifest -d hermes -t PIPE", "serve --config PIPE",
		"run --provider replay --system PIPE", "run --provider replay --answer-schema PIPE", "run --agent PIPE x",
		"parse", "batch", "detect", "conform", "view", "tools -", "translate --from auto --to openai", "manifest -d hermes -t -",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			silent, w := io.Pipe()
			defer w.Close()
			time.AfterFunc(20*time.Millisecond, cancel)
			var stdout, stderr bytes.Buffer
			code := run(ctx, strings.Fields(strings.ReplaceAll(args, "PIPE", pipe)), silent, &stdout, &stderr, noEnv)
			if code != exitFailed || !strings.Contains(stderr.String(), "interrupted") && !strings.Contains(stderr.String(), "canceled") {
				t.Errorf("got exit code %d, stderr %q; want 1 and word of the interrupt", code, stderr.String())
			}
		})
	}
}

// failingWriter takes some bytes and then fails.
type failingWriter struct {
	room int
	err  error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.room {
		return w.room, w.err
	}
	w.room -= len(p)
	return len(p), nil
}

func TestOutputFails(t *testing.T) {
	vectors, err := os.ReadFile("testdata/example/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	text := strings.Repeat("Much text. ", 100_000)
	tests := []struct {
		name   string
		args   []string
		in     string
		err    error
		code   int
		stderr string
	}{
		{"parse, closed pipe", []string{"parse", "-o", "text"}, text, &os.PathError{Op: "write", Err: syscall.EPIPE}, exitDone, ""},
		{"parse, disk full", []string{"parse", "-o", "text"}, text, full, exitFailed, "toolparse: output: disk full\n"},
		{"conform, closed pipe", []string{"conform", "--json"}, string(vectors), syscall.EPIPE, exitDone, ""},
		{"conform, disk full", []string{"conform", "--json"}, string(vectors), full, exitFailed, "toolparse: output: disk full\n"},
		{"dialects, closed pipe", []string{"dialects"}, "", syscall.EPIPE, exitDone, ""},
		{"dialects, disk full", []string{"dialects", "--json"}, "", full, exitFailed, "toolparse: output: disk full\n"},
		{"version, disk full", []string{"version"}, "", full, exitFailed, "toolparse: output: disk full\n"},
		{"completion, disk full", []string{"completion", "bash"}, "", full, exitFailed, "toolparse: output: disk full\n"},
		{"help, disk full", []string{"help"}, "", full, exitFailed, "toolparse: output: disk full\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := run(t.Context(), tt.args, strings.NewReader(tt.in), &failingWriter{room: 8, err: tt.err}, &stderr, noEnv)
			if code != tt.code || stderr.String() != tt.stderr {
				t.Errorf("got exit code %d, stderr %q; want %d, %q", code, stderr.String(), tt.code, tt.stderr)
			}
		})
	}
}

func TestInputFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`<tool name="f"/> and <tool name="g"><arg`), iotest.ErrReader(errors.New("line lost")))
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"parse", "-d", "xml"}, in, &stdout, &stderr, noEnv)
	if want := "toolparse: stdin: byte 40: line lost\n"; code != exitFailed || stderr.String() != want {
		t.Errorf("got exit code %d, stderr %q; want 1, %q", code, stderr.String(), want)
	}
	if want := `{"id":"seg_1","name":"f","arguments":{},"status":"complete","dialect":"xml","start":0,"end":16}` + "\n"; !strings.HasPrefix(stdout.String(), want) {
		t.Errorf("got %s, want the call that had arrived first", stdout.String())
	}
}
