package mcp

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/near"
)

// The transports.
const (
	byStdio = "stdio" // a process, over its standard input and output
	byHTTP  = "http"  // streamable HTTP
	bySSE   = "sse"   // HTTP with server-sent events, as of 2024
)

// Config is a server in a configuration file, with variables expanded.
type Config struct {
	Name string
	// Transport is "stdio", "http" (streamable HTTP) or "sse" (HTTP with server-sent events,
	// as of 2024); "" means stdio with a Command, else http.
	Transport string

	Command string // with stdio
	Args    []string
	Env     map[string]string // in addition to the few variables that a server inherits
	Dir     string            // the working directory; "" means the current one

	URL     string // with http and sse
	Headers map[string]string

	Disabled bool
	Trusted  bool          // believe what the tools say about their risk
	Timeout  time.Duration // of one call; 0 means the agent's
	Include  []string      // the server's names of the tools to offer; nil means all
	Exclude  []string      // the server's names of tools to leave out

	secrets []string // removed from everything that is shown
}

// configError says what is wrong with a configuration file, and where.
type configError struct {
	File   string
	Server string // "" if the error concerns the whole file
	Field  string // "" if the error concerns the whole server
	Reason string
}

// Error names the file, the server and the field.
func (e *configError) Error() string {
	text := e.File
	if e.Server != "" {
		text += ": server " + e.Server
	}
	if e.Field != "" {
		text += ": " + e.Field
	}
	return text + ": " + e.Reason
}

// maxConfig limits the size of a configuration file, in bytes.
const maxConfig = 4 << 20

// ReadConfig reads the servers of a file in the format that most clients use: an object
// "mcpServers" (or "servers") of objects with command, args, env and cwd, or with url and
// headers, and with type and disabled. It ignores other members. In texts it expands
// ${NAME}, ${NAME:-default} and ${env:NAME} with getenv; an empty variable counts as
// unset. The servers are in the order of the file. An error names the file, the server and
// the field.
func ReadConfig(file string, getenv func(string) string) ([]Config, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, err
	}
	return ParseConfig(file, string(text), getenv)
}

// ParseConfig is [ReadConfig] for the text of a file, whose name errors show.
func ParseConfig(file, text string, getenv func(string) string) ([]Config, error) {
	r := reader{file: file, getenv: getenv}
	if len(text) > maxConfig {
		return nil, r.fail("", "more than %d MiB", maxConfig>>20)
	}
	return r.servers(strings.TrimPrefix(text, "\ufeff"))
}

// reader reads one file.
type reader struct {
	file, server string
	getenv       func(string) string
	secrets      []string // of the current server
}

func (r *reader) fail(field, format string, args ...any) error {
	return &configError{r.file, r.server, field, fmt.Sprintf(format, args...)}
}

func (r *reader) servers(text string) ([]Config, error) {
	root, err := jsonvalue.Options{UniqueNames: true}.Parse(text)
	if err != nil {
		return nil, r.fail("", "expected JSON: %v", err)
	}
	list := root.Get("mcpServers")
	if list == nil {
		list = root.Get("servers")
	}
	if !list.Is(jsonvalue.Object) {
		return nil, r.fail("mcpServers", `expected an object of servers by name, such as {"mcpServers": {"time": {"command": "mcp-server-time"}}}`)
	}
	var servers []Config
	for i, name := range list.Keys {
		r.server, r.secrets = name, nil
		server, err := r.one(name, list.List[i])
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// one reads a server. Variables of a disabled server may be unset.
func (r *reader) one(name string, v *jsonvalue.Value) (Config, error) {
	c := Config{Name: name}
	if !v.Is(jsonvalue.Object) {
		return c, r.fail("", "expected an object, found %s", v.Kind)
	}
	if strings.TrimSpace(name) == "" {
		return c, r.fail("", "it has no name")
	}
	c.Disabled = v.Get("disabled").IsTrue() || v.Get("enabled").IsFalse()
	c.Trusted = v.Get("trust").IsTrue()
	if c.Disabled {
		return c, nil
	}
	var kind string
	if err := cmp.Or(
		r.text(v, &kind, "type", "transport"),
		r.text(v, &c.Command, "command"),
		r.list(v, &c.Args, "args"),
		r.members(v, &c.Env, "env"),
		r.text(v, &c.Dir, "cwd"),
		r.text(v, &c.URL, "url", "serverUrl", "httpUrl"),
		r.members(v, &c.Headers, "headers"),
		r.duration(v, &c.Timeout, "timeout"),
		r.list(v, &c.Include, "includeTools"),
		r.list(v, &c.Exclude, "excludeTools", "disabledTools"),
	); err != nil {
		return c, err
	}
	err := r.transport(&c, kind, v)
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) }) // longest first, because one may be part of another
	c.secrets = slices.Compact(r.secrets)
	return c, err
}

// kinds maps the words that files use to transports.
var kinds = map[string]string{
	"stdio": byStdio, "local": byStdio,
	"http": byHTTP, "streamable-http": byHTTP, "streamable_http": byHTTP, "streamableHttp": byHTTP, "streamableHTTP": byHTTP, "remote": byHTTP,
	"sse": bySSE,
}

// transport determines the transport of a server, and checks that what it needs is set.
func (r *reader) transport(c *Config, kind string, v *jsonvalue.Value) error {
	known := false
	if c.Transport, known = kinds[kind]; !known && kind != "" {
		return r.fail("type", "%q is not a transport; use stdio, http or sse", kind)
	}
	switch {
	case c.Command != "" && c.URL != "":
		return r.fail("url", "the server has a command, too; use one of them")
	case c.Command == "" && c.URL == "":
		for _, name := range v.Keys {
			if similar := near.Names(name, []string{"command", "url"}, 1); len(similar) > 0 {
				return r.fail(name, "unknown field; did you mean %s?", similar[0])
			}
		}
		return r.fail("", "it needs a command to start, or a url")
	case c.Command != "":
		if known && c.Transport != byStdio {
			return r.fail("url", "a server of type %s needs a url", kind)
		}
		c.Transport = byStdio
		return nil
	case c.Transport == byStdio:
		return r.fail("command", "a server of type stdio needs a command")
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return r.fail("url", "expected an address that begins with http:// or https://")
	}
	for _, values := range u.Query() {
		for _, value := range values {
			r.secret(value)
			r.secret(url.QueryEscape(value))
		}
	}
	if password, ok := u.User.Password(); ok {
		r.secret(password)
	}
	if c.Transport == "" {
		c.Transport = byHTTP
		if strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/sse") {
			c.Transport = bySSE
		}
	}
	return nil
}
