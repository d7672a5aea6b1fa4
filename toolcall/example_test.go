package toolcall_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/toolparse/toolparse/toolcall"
)

// Read the output of toolparse parse -o calls, and run only what may be run.
func ExampleToolInvocation_Runnable() {
	lines := []string{
		`{"id":"seg_1","name":"get_weather","arguments":{"city":"Oslo"},"status":"complete"}`,
		`{"id":"seg_2","name":"rm","arguments":null,"raw_arguments":"{\"path\":\"/tmp/bui","status":"incomplete","reason":"end_of_stream"}`,
	}
	for _, line := range lines {
		var call toolcall.ToolInvocation
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			log.Fatal(err)
		}
		fmt.Println(call.Name, call.Status, call.Runnable())
	}
	// Output:
	// get_weather complete true
	// rm incomplete false
}
