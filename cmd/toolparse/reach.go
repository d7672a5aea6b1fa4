package main

import (
	"strings"

	"github.com/toolparse/toolparse/agent/tools"
)

// reach limits what tools can do outside the files of the workspace.
type reach struct {
	sandbox bool
	hosts   []string
}

// flags adds the flags to a set.
func (r *reach) flags(to flagGroup) {
	to.StringSliceVar(&r.hosts, "hosts", nil, "let http_request reach only the hosts `HOST,...`, each a name, HOST:PORT or *.DOMAIN; a private address must be listed with its port (default: every public host)")
	to.BoolVar(&r.sandbox, "sandbox", false, "run all commands in bubblewrap, where they can write only in the workspace and have no network (Linux, with bwrap installed)")
}

// limit applies the limits to a set of tools. It fails if commands cannot be sandboxed,
// or if the list of hosts is invalid or empty, because the tools take an empty list to
// mean every public host.
func (r *reach) limit(set *tools.Set) error {
	if r.hosts != nil && len(r.hosts) == 0 {
		return usagef("--hosts names no host; to allow no requests, leave http_request out of --tools")
	}
	for _, host := range r.hosts {
		if strings.TrimSpace(host) == "" || strings.ContainsAny(host, "/ \t\n@?#") {
			return usagef("--hosts: %q is not a host; want a name, HOST:PORT or *.DOMAIN", host)
		}
	}
	set.Web.Hosts = r.hosts
	if !r.sandbox {
		return nil
	}
	return set.Sandbox()
}
