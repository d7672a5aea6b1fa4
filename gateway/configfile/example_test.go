package configfile_test

import (
	"fmt"
	"log"
	"os"

	"github.com/toolparse/toolparse/gateway/configfile"
	"github.com/toolparse/toolparse/internal/dialect"
)

// Read the configuration of a gateway with one upstream.
func ExampleRead() {
	const file = `
[upstreams.local]
url = "http://127.0.0.1:8080/v1"

[models.coder]
upstream = "local"
model = "Qwen3-Coder-30B"
aliases = ["gpt-5*"]
dialect = "qwen3_coder"
`
	options, err := configfile.Read([]byte(file), configfile.Context{
		Getenv: os.Getenv,
		Dialect: func(name string) (*dialect.Dialect, error) {
			dialects, err := dialect.Named(name, "")
			if err != nil {
				return nil, err
			}
			return dialects[0], nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, target := range options.Targets {
		fmt.Println(target.Names, target.Upstream, target.Model, target.Dialect.Name)
	}
	// Output:
	// [coder gpt-5*] http://127.0.0.1:8080/v1 Qwen3-Coder-30B qwen3_coder
}
