package batch_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/batch"
)

// Read the calls of logged answers, one record per line.
func ExampleBatch_Run() {
	b, err := batch.New(batch.Options{Kit: toolparse.Options{Dialect: "hermes"}, Fields: []string{"completion"}})
	if err != nil {
		log.Fatal(err)
	}
	records := strings.NewReader(`{"completion":"<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"}
{"completion":"Hello."}
`)
	stats, err := b.Run(context.Background(), os.Stdout, records)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.Records, "records")
	// Output:
	// {"line":1,"calls":[{"id":"seg_1","name":"now","arguments":{},"status":"complete","dialect":"hermes","start":0,"end":52}],"text":"","reasoning":"","dialect":"hermes"}
	// {"line":2,"calls":[],"text":"Hello.","reasoning":"","dialect":"hermes"}
	// 2 records
}
