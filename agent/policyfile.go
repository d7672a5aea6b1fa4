package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/atomicfile"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// PolicyFile stores rules across processes. It is safe for concurrent use.
type PolicyFile struct {
	path string

	mu    sync.Mutex
	rules Rules
}

// DefaultPolicyFile returns the path of the user's rules: toolparse/policies.json in the
// configuration directory.
func DefaultPolicyFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "toolparse", "policies.json"), nil
}

// maxPolicies limits the size of a policies file, in bytes.
const maxPolicies = 4 << 20

// OpenPolicyFile reads rules from a file. A missing file has no rules. A file that cannot
// be read is an error, so that no denial is ignored.
func OpenPolicyFile(path string) (*PolicyFile, error) {
	f := &PolicyFile{path: path}
	text, err := atomicfile.Read(path, maxPolicies)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		f.rules, err = readRules(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the policies file %s cannot be read: %w", path, err)
	}
	return f, nil
}

// readRules reads rules. A misspelt or repeated member is an error, because a rule would
// otherwise apply to more calls, or to none.
func readRules(text []byte) (rules Rules, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&rules); err != nil {
		return rules, err
	}
	if _, err := d.Token(); err != io.EOF {
		return rules, errors.New("something follows the rules")
	}
	file, err := jsonvalue.Options{UniqueNames: true}.Parse(string(text))
	if err != nil {
		return rules, err
	}
	if err := checkNames(file); err != nil {
		return rules, err
	}
	for i, rule := range rules.Rules {
		if rule.Tool == "" {
			return rules, fmt.Errorf("rules[%d] names no tool; \"*\" stands for all", i)
		}
	}
	return rules, nil
}

// checkNames refuses members whose names encoding/json takes for those of rules although
// they are written otherwise, such as Rules or TOOL: beside the right name, one of the two
// would silently be without effect.
func checkNames(v *jsonvalue.Value) error {
	for i, child := range v.List {
		if v.Kind == jsonvalue.Object {
			name := v.Keys[i]
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
				return fmt.Errorf("unknown name %q; names are in lower case", name)
			}
			if name == "arguments" { // whose names are the tools'
				continue
			}
		}
		if err := checkNames(child); err != nil {
			return err
		}
	}
	return nil
}

// Rules returns the current rules.
func (f *PolicyFile) Rules() Rules {
	f.mu.Lock()
	defer f.mu.Unlock()
	rules := f.rules
	rules.Rules = slices.Clone(f.rules.Rules)
	return rules
}

// Remember adds a rule and writes the file atomically, readable by the user only.
func (f *PolicyFile) Remember(rule Rule) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	rules := f.rules
	rules.Rules = append(slices.Clone(f.rules.Rules), rule)
	text, err := json.MarshalIndent(rules, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(f.path, append(text, '\n')); err != nil {
		return fmt.Errorf("the policies file was not written: %w", err)
	}
	f.rules = rules
	return nil
}
