package detect_test

import (
	"fmt"

	"github.com/toolparse/toolparse/detect"
)

func Example() {
	for _, guess := range detect.Dialects("<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>")[:1] {
		fmt.Println(guess.Dialect.Name, guess.Calls)
	}
	// Output:
	// qwen3_coder 1
}
