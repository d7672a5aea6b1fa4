package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/neutralize"
	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// checked prepares the tools of a manifest. It sets the dialect if the options have none.
func checked(defs []toolcall.ToolDefinition, opts *Options) ([]*tool, error) {
	if opts.Dialect == nil {
		var err error
		if opts.Dialect, err = ForProvider(opts.Provider, ""); err != nil {
			return nil, err
		}
	}
	if opts.Style == StyleTemplate && opts.Dialect.Head.Form != "" && !HasTemplate(opts.Dialect) {
		return nil, fmt.Errorf("dialect %s: no chat template is known, so only the style teach is possible", opts.Dialect.Name)
	}
	tools, err := newTools(defs)
	if err != nil {
		return nil, err
	}
	read := make([]*toolset.Tool, len(tools))
	for i, t := range tools {
		read[i] = t.Tool
		t.callable = len(opts.Choice.Tools) == 0 || slices.Contains(opts.Choice.Tools, t.Name)
		if err := checkVendorName(t.Name); err != nil && opts.Provider != "" {
			return nil, err
		}
	}
	return tools, toolset.Check(opts.Dialect, read, opts.Choice)
}

// The characters that some provider allows in a tool's name besides ASCII letters and digits,
// and the greatest length that one allows. They apply to manifests for a provider. Otherwise
// any name is allowed that the dialect can write and read back.
const (
	vendorBytes = "_-.:/"
	vendorName  = 128
)

func checkVendorName(name string) error {
	if len(name) > vendorName {
		return fmt.Errorf("tool %q: name: providers allow at most %d bytes", name, vendorName)
	}
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && !('0' <= r && r <= '9') && !strings.ContainsRune(vendorBytes, r) {
			return fmt.Errorf("tool %q: name: providers do not allow %q at byte %d: only letters, digits and %s", name, r, i, vendorBytes)
		}
	}
	return nil
}

// checkMarkup returns an error for a tool's name that contains markup, or that is also a tag
// around tools or results.
func (c *composer) checkMarkup() error {
	s := c.style()
	around := []string{s.open, s.markup(), s.close}
	h := c.harmless()
	for _, t := range c.tools {
		if escaped := h.text(t.Name); escaped != t.Name {
			return fmt.Errorf("tool %q: name: it contains markup of %s, which a prompt would have to break: %q", t.Name, c.dialect.Name, escaped)
		}
		if marker := neutralize.Reserved(c.dialect, t.Name, around...); marker != "" {
			return fmt.Errorf("tool %q: name: %s has the marker %s around tools or results, which would be a call of the tool", t.Name, c.dialect.Name, marker)
		}
	}
	return nil
}

// checkParameters returns an error for a parameter without a name if the dialect cannot write
// it.
func (t *tool) checkParameters(d *dialect.Dialect) error {
	at, found := find(t.doc.root, "", func(n *node, _ string) bool { return n.Get("properties").Get("") != nil })
	if found && toolset.CheckParameter(d, t.Name, "", at == "") != nil {
		return fmt.Errorf("tool %q: at %s/properties/: %s cannot express a parameter without a name", t.Name, at, d.Name)
	}
	return nil
}
