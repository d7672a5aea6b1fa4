package parser_test

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// show prints an event in one line.
func show(e toolcall.Event) {
	switch e.Type {
	case toolcall.SegmentStart:
		fmt.Printf("%s %s %q\n", e.ID, e.Segment, e.Name)
	case toolcall.SegmentContent:
		fmt.Printf("%s %q\n", e.ID, e.Delta())
	case toolcall.SegmentEnd:
		fmt.Println(e.ID, e.Status)
	}
}

// The parser reads tokens as they arrive. It emits the argument of a call at once, and holds
// back what may still become a marker.
func ExampleParser_Feed() {
	dialects, err := dialect.Named("xml", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := parser.New(parser.Options{Dialects: dialects})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events []toolcall.Event
	for _, token := range []string{"1 <", " 2.", " <too", `l name="say"><arguments><arg name="text">Hel`, "lo</a", "rg></arguments></tool>"} {
		events = p.Feed(events[:0], token)
		for _, e := range events {
			show(e)
		}
	}
	for _, e := range p.Close(events[:0]) {
		show(e)
	}
	// Output:
	// seg_1 text ""
	// seg_1 "1 "
	// seg_1 "< 2."
	// seg_1 " "
	// seg_1 complete
	// seg_2 tool_call "say"
	// seg_2 "{\"text\":\"Hel"
	// seg_2 "lo"
	// seg_2 "\"}"
	// seg_2 complete
}

// A call that is cut off ends incomplete: a program must not run it.
func ExampleCompiled_TextEvents() {
	dialects, err := dialect.Named("json", "openai")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := parser.Compile(parser.Options{Dialects: dialects})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range c.TextEvents(`{"name":"get_weather","arguments":{"city":"Os`) {
		if err != nil {
			fmt.Println(err)
			return
		}
		show(e)
	}
	// Output:
	// seg_1 tool_call "get_weather"
	// seg_1 "{\"city\":\"Os"
	// seg_1 incomplete
}
