package main

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
)

// inFile are the flags that a configuration file replaces.
var inFile = []string{
	"upstream", "upstream-wire", "upstream-key-env", "pass-key", "dialect", "model", "profile", "start-in-reasoning", "prompted", "max-tokens", "constrain", "reask",
}

// gatewayOptions returns the options in the flags, or in the file that they name.
func (c *cli) gatewayOptions(cmd *cobra.Command, f serveFlags) (gateway.Options, error) {
	var opts gateway.Options
	var err error
	if f.config == "" {
		opts.Targets, err = c.oneTarget(f)
	} else {
		for _, name := range inFile {
			if cmd.Flags().Changed(name) {
				return opts, usagef("--%s: set it in the file of --config instead", name)
			}
		}
		opts, err = c.readConfig(f.config)
	}
	if err != nil {
		return opts, err
	}
	for _, name := range []string{"store-ttl", "store-bytes"} {
		if f.store.File == "" && cmd.Flags().Changed(name) {
			return opts, usagef("--%s: it needs --store FILE", name)
		}
	}
	if f.store.TTL <= 0 || f.store.MaxBytes <= 0 {
		return opts, usagef("--store-ttl and --store-bytes must be more than 0")
	}
	if !f.dryRun {
		opts.Store = f.store
	}
	opts.Log, opts.Inspect = c.logger(f.log), f.inspect
	opts.Hosts, opts.Origins = slices.Concat(opts.Hosts, f.hosts), slices.Concat(opts.Origins, f.origins)
	if f.tokenEnv != "" {
		if opts.Token, err = c.secret("--token-env", f.tokenEnv); err != nil {
			return opts, err
		}
	}
	if isOpen(f.listen) {
		if f.inspect {
			return opts, usagef("--inspect: other machines can reach %s, but only this one may see conversations", f.listen)
		}
		if opts.Token == "" && !f.dryRun {
			return opts, usagef("--listen %s: other machines can reach it; name a token with --token-env", f.listen)
		}
		opts.Hosts = append(opts.Hosts, "*") // the token is what protects it
	}
	return opts, nil
}

// oneTarget returns the model that the flags describe.
func (c *cli) oneTarget(f serveFlags) ([]gateway.Target, error) {
	if f.target.Upstream == "" {
		return nil, usagef("serve needs --upstream URL or --config FILE")
	}
	t := f.target
	var err error
	if f.dialect == "" && c.getenv(envDialect) == "" {
		t.Dialect, _ = dialect.ForModel(t.Model)
	} else if t.Dialect, err = c.oneDialect(f.dialect); err != nil {
		return nil, err
	}
	t.Key, err = c.secret("--upstream-key-env", f.keyEnv)
	return []gateway.Target{t}, err
}

func (c *cli) readConfig(name string) (gateway.Options, error) {
	data, err := c.readFile(name)
	if err != nil {
		return gateway.Options{}, err
	}
	getenv := func(name string) string { return strings.TrimSpace(c.getenv(name)) }
	opts, err := gateway.ReadConfig(data, getenv, c.oneDialect)
	if err != nil {
		return opts, usagef("%s: %v", name, usageOf("gateway", err))
	}
	return opts, nil
}

// hangup is SIGHUP, by its number: not every platform has a name for it.
const hangup = syscall.Signal(1)

// reloadOnHangup makes a server read its configuration again when the process gets
// SIGHUP, until stop is called. A broken configuration changes nothing.
func (c *cli) reloadOnHangup(server *gateway.Server, name string, read func() (gateway.Options, error)) (stop func()) {
	hangups, done := make(chan os.Signal, 1), make(chan bool)
	signal.Notify(hangups, hangup)
	go func() {
		defer close(done)
		for range hangups {
			opts, err := read()
			if err == nil {
				err = server.Reload(opts)
			}
			if err != nil {
				fmt.Fprintf(c.stderr, "not reloaded, the old configuration stays: %v\n", err)
				continue
			}
			fmt.Fprintf(c.stderr, "reloaded %s\n", name)
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(hangups)
		<-done
	}
}
