package streamgen_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/streamgen"
)

func TestNewIsReproducible(t *testing.T) {
	for _, d := range streamgen.Dialects() {
		t.Run(d, func(t *testing.T) {
			for seed := range uint64(50) {
				a, err := streamgen.New(rand.New(rand.NewPCG(seed, 1)), d)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := streamgen.New(rand.New(rand.NewPCG(seed, 1)), d)
				if diff := cmp.Diff(a, b); diff != "" {
					t.Fatalf("two streams of one seed differ:\n%s", diff)
				}
			}
		})
	}
}

func TestNewIsSound(t *testing.T) {
	for _, d := range streamgen.Dialects() {
		t.Run(d, func(t *testing.T) {
			var calls, prompt, reasoning int
			for seed := range uint64(500) {
				s, err := streamgen.New(rand.New(rand.NewPCG(seed, 2)), d)
				if err != nil {
					t.Fatal(err)
				}
				calls, prompt, reasoning = calls+len(s.Want.Calls), prompt+len(s.Prompt), reasoning+len(s.Want.Reasoning)
				if s.Text == "" {
					t.Errorf("seed %d: empty", seed)
				}
				if !slices.IsSorted(s.Prompt) || len(s.Prompt) > 0 && s.Prompt[len(s.Prompt)-1] > len(s.Text) {
					t.Errorf("seed %d: prompt places out of order or range: %v", seed, s.Prompt)
				}
				for _, c := range s.Want.Calls {
					if !json.Valid([]byte(c.Arguments)) || c.Verbatim != "" && !json.Valid([]byte(c.Verbatim)) {
						t.Errorf("seed %d: bad arguments: %q, %q", seed, c.Arguments, c.Verbatim)
					}
				}
			}
			if prompt == 0 || reasoning == 0 || calls == 0 && d != "api_tool_call" {
				t.Errorf("calls %d, prompt places %d, bytes of reasoning %d: each should occur", calls, prompt, reasoning)
			}
		})
	}
}

func TestNewLooseIsSound(t *testing.T) {
	for _, d := range streamgen.Dialects() {
		t.Run(d, func(t *testing.T) {
			loose := 0
			for seed := range uint64(200) {
				s, err := streamgen.NewLoose(rand.New(rand.NewPCG(seed, 4)), d)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range s.Want.Calls {
					if !json.Valid([]byte(c.Arguments)) || c.Loose && c.Verbatim != "" {
						t.Errorf("seed %d: arguments %q, verbatim %q", seed, c.Arguments, c.Verbatim)
					}
					if c.Loose {
						loose++
					}
				}
			}
			if loose == 0 && d != "api_tool_call" {
				t.Error("no call is loose")
			}
		})
	}
}

func TestNewUnknownDialect(t *testing.T) {
	if _, err := streamgen.New(streamgen.NewTape(nil), "morse"); !errors.Is(err, streamgen.ErrDialect) {
		t.Errorf("got %v, want ErrDialect", err)
	}
}

func TestExhaustedTapeIsShort(t *testing.T) {
	for _, d := range streamgen.Dialects() {
		s, _ := streamgen.New(streamgen.NewTape(nil), d)
		if len(s.Text) > 100 || len(s.Want.Calls) > 1 {
			t.Errorf("%s: not simple: %q", d, s.Text)
		}
	}
}

func TestSplitLosesNothing(t *testing.T) {
	text := strings.Repeat("aé日😀\n", 40)
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		if got := strings.Join(streamgen.Split(r, text), ""); got != text {
			t.Fatalf("seed %d: %q", seed, got)
		}
		if got := strings.Join(streamgen.Every(1+r.IntN(9), text), ""); got != text {
			t.Fatalf("seed %d: %q", seed, got)
		}
	}
}

func TestHostileSizes(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range streamgen.Hostiles() {
		if seen[h.Name] {
			t.Errorf("two families named %q", h.Name)
		}
		seen[h.Name] = true
		if !slices.Contains(streamgen.Dialects(), h.Dialect) {
			t.Errorf("%s: unknown dialect %q", h.Name, h.Dialect)
		}
		if n := len(h.Text(1 << 16)); n < 1<<16-64 || n > 1<<16 {
			t.Errorf("%s: %d bytes, want about %d", h.Name, n, 1<<16)
		}
	}
}
