package adapter

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

// BenchmarkNewAdapter is what a conversation costs before its first event.
func BenchmarkNewAdapter(b *testing.B) {
	c := compiledWith(b, 100)
	b.ReportAllocs()
	var a *Adapter
	for b.Loop() {
		a = c.New()
	}
	runtime.KeepAlive(a)
}

// BenchmarkAdd collects one call whose arguments come in pieces of four bytes.
// The time for a byte must not grow with the size.
func BenchmarkAdd(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 10 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			text := `{"s":"` + strings.Repeat("x", size) + `"}`
			var deltas []string
			for len(text) > 4 {
				deltas, text = append(deltas, text[:4]), text[4:]
			}
			events := callOf("f", append(deltas, text)...)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				a, err := New(Options{Tools: []toolcall.ToolDefinition{{Name: "f"}}})
				if err != nil {
					b.Fatal(err)
				}
				runnable := false
				for _, e := range events {
					if call, ok := a.Add(e); ok {
						runnable = call.Runnable()
					}
				}
				if !runnable {
					b.Fatal("the call cannot run")
				}
			}
		})
	}
}
