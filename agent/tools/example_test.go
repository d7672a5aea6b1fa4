package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
)

// Call a built-in tool. Its files stay in the workspace.
func ExampleWorkspace() {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	set, err := tools.Workspace(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	list, err := set.Tools("write_file")
	if err != nil {
		log.Fatal(err)
	}
	write := list[0]
	fmt.Println(write.Info().Name, write.Info().Risk)
	if _, err := write.Call(context.Background(), agent.Call{Arguments: json.RawMessage(`{"path":"a.txt","content":"hello\n"}`)}); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(dir + "/a.txt")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)
	_, err = write.Call(context.Background(), agent.Call{Arguments: json.RawMessage(`{"path":"../a.txt","content":"hello\n"}`)})
	fmt.Println(err != nil)
	// Output:
	// write_file high
	// hello
	// true
}
