package agent

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/printable"
)

// Policy decides whether a call may run. It must not block: to ask a person, return
// [Ask].
type Policy func(ctx context.Context, call Call) Decision

// Decision is a verdict with its reason. The user reads the reason with a question, the
// model with a denial.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	// Ends makes a denial also end the run.
	Ends bool `json:"ends,omitempty"`
}

// Verdict is a policy's decision about a call.
type Verdict uint8

// The verdicts. The zero value asks.
const (
	Ask Verdict = iota
	Allow
	Deny
)

var verdictNames = []string{"ask", "allow", "deny"}

// String returns the verdict in lower case.
func (v Verdict) String() string { return nameOf(verdictNames, int(v)) }

// MarshalText implements [encoding.TextMarshaler]; it never fails.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], and fails on other words.
func (v *Verdict) UnmarshalText(text []byte) error {
	return readName(v, verdictNames, "verdict", text)
}

// Answer is a person's answer to a request for permission.
type Answer string

// The answers.
const (
	AllowOnce    Answer = "once"    // this call
	AllowSession Answer = "session" // this and equal calls, until the process ends
	AllowAlways  Answer = "always"  // this and equal calls, by a rule in the policies file
	DenyCall     Answer = "deny"    // not this call; the model continues
	DenyAndEnd   Answer = "end"     // not this call, and the run ends
)

// Rules are a policy in the form of data. The first of these that applies decides:
//
//  1. a rule that denies,
//  2. a rule or a name in RequireApproval that asks, or a tool that needs approval,
//  3. a rule or a name in AutoApprove that allows,
//  4. the tool's risk and Approve.
//
// So a tool in both lists needs approval, and nothing allows what a rule denies.
type Rules struct {
	Rules           []Rule   `json:"rules,omitempty"`
	AutoApprove     []string `json:"auto_approve_tools,omitempty"`     // patterns of names, such as "file.*"
	RequireApproval []string `json:"require_approval_tools,omitempty"` // patterns of names
	// Approve is the highest risk that needs no permission: "safe" (also ""), "medium" or
	// "all". "none", like any other word, means that each call needs it.
	Approve string `json:"-"`
}

// Rule is a verdict about some calls.
type Rule struct {
	Tool    string  `json:"tool"` // pattern of names; "*" matches any text
	Verdict Verdict `json:"verdict"`
	// Arguments are patterns, all of which must match the arguments of these names. "*"
	// matches any text. For one of [Info.Commands], "git *" matches a script only if all of
	// its commands match; in a rule that denies, if any of them does. The pattern of one of
	// [Info.Paths] is matched with the file at the path, after following links, and may
	// contain "**".
	Arguments map[string]string `json:"arguments,omitempty"`
	// Exact means that the patterns are literal arguments.
	Exact bool `json:"exact,omitempty"`
	// Directory restricts the rule to calls that run in this working directory.
	Directory string `json:"directory,omitempty"`
	// Risk restricts the rule to tools of at least this risk.
	Risk   Risk   `json:"risk,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Policy returns the policy of the rules.
func (r Rules) Policy() Policy {
	return func(_ context.Context, call Call) Decision { return r.decide(call) }
}

func (r Rules) decide(call Call) Decision {
	unsure := false
	for _, rule := range r.Rules {
		if rule.Verdict != Deny {
			continue
		}
		switch rule.match(call) {
		case matches:
			return Decision{Verdict: Deny, Reason: rule.reason("a rule denies it")}
		case mayMatch:
			unsure = true
		}
	}
	if unsure {
		return Decision{Reason: "it may do something that a rule denies"}
	}
	for _, rule := range r.Rules {
		if rule.Verdict == Ask && rule.match(call) != differs {
			return Decision{Reason: rule.reason("a rule asks for approval")}
		}
	}
	info := call.Info()
	switch {
	case anyMatches(r.RequireApproval, call.Name):
		return Decision{Reason: "the tool is on the list of those that need approval"}
	case info.NeedsApproval:
		return Decision{Reason: "the tool needs approval whatever its risk"}
	}
	for _, rule := range r.Rules {
		if rule.Verdict == Allow && rule.match(call) == matches {
			return Decision{Verdict: Allow, Reason: rule.reason("a rule allows it")}
		}
	}
	switch {
	case anyMatches(r.AutoApprove, call.Name):
		return Decision{Verdict: Allow, Reason: "the tool is on the list of those that run without asking"}
	case r.Approve == "all", r.Approve == "medium" && info.Risk <= Medium, cmp.Or(r.Approve, "safe") == "safe" && info.Risk == Safe:
		return Decision{Verdict: Allow, Reason: "tools of risk " + info.Risk.String() + " run without asking"}
	case info.Risk == High:
		return Decision{Reason: "warning: the tool can do anything that you can (risk high)"}
	}
	return Decision{Reason: "the tool has the risk " + info.Risk.String()}
}

func (r *Rule) reason(fallback string) string { return cmp.Or(r.Reason, fallback) }

// matching says whether a rule applies to a call.
type matching uint8

const (
	differs  matching = iota
	mayMatch          // only running the call could tell
	matches
)

func (r *Rule) match(call Call) matching {
	info := call.Info()
	if !wildcard(r.Tool, call.Name) || info.Risk < r.Risk || r.Directory != "" && r.Directory != call.WorkingDirectory {
		return differs
	}
	if len(r.Arguments) == 0 {
		return matches
	}
	args, err := jsonvalue.Parse(call.Arguments)
	if err != nil || !args.Is(jsonvalue.Object) {
		return differs
	}
	result := matches
	for name, pattern := range r.Arguments {
		member := args.Get(name)
		if member == nil {
			return differs
		}
		result = min(result, r.matchText(&info, name, pattern, textOf(member), call.WorkingDirectory))
	}
	return result
}

// matchText matches a pattern with the text of an argument.
func (r *Rule) matchText(info *Info, argument, pattern, text, dir string) matching {
	matched := false
	isCommand := slices.Contains(info.Commands, argument)
	switch {
	case slices.Contains(info.Paths, argument):
		pattern, text = resolve(dir, pattern), resolve(dir, text)
		if matched = pattern == text; !matched && !r.Exact {
			var err error
			if matched, err = doublestar.Match(filepath.ToSlash(pattern), filepath.ToSlash(text)); err != nil && r.Verdict != Allow {
				return mayMatch // nobody knows what the broken pattern was meant to deny
			}
		}
	case r.Exact:
		matched = pattern == text
	case isCommand && r.Verdict == Allow:
		matched = commandAllowed(pattern, text)
	case isCommand:
		return commandDenied(pattern, text)
	default:
		matched = wildcard(pattern, text)
	}
	if matched {
		return matches
	}
	return differs
}

// textOf returns the text of a string, or the JSON of any other value.
func textOf(v *jsonvalue.Value) string {
	if v.Is(jsonvalue.String) {
		return v.Text
	}
	return v.Raw
}

// resolve returns the target of a path, following all links as far as they exist.
func resolve(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path = filepath.Clean(path)
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// wildcard reports whether a text matches a pattern in which "*" stands for any text.
func wildcard(pattern, text string) bool {
	head, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	if !ok {
		return false
	}
	for {
		head, rest, more = strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, head)
		}
		at := strings.Index(text, head)
		if at < 0 {
			return false
		}
		text = text[at+len(head):]
	}
}

func anyMatches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return wildcard(p, name) })
}

// ruleFor returns a rule that allows calls like this one: those of the same tool, in the
// same directory, with the same subjects or, if the tool has none, the same arguments. It
// uses the current target of a path, so that the rule does not follow links that change.
func ruleFor(call Call) Rule {
	dir := call.WorkingDirectory
	rule := Rule{Tool: call.Name, Verdict: Allow, Exact: true, Directory: dir, Arguments: map[string]string{}, Reason: "you allowed it"}
	info := call.Info()
	args, err := jsonvalue.Parse(call.Arguments)
	if err != nil || info.AskOnce {
		return rule
	}
	subjects := slices.Concat(info.Subjects, info.Commands, info.Paths)
	for i, name := range args.Keys {
		if len(subjects) > 0 && !slices.Contains(subjects, name) {
			continue
		}
		text := textOf(args.List[i])
		if slices.Contains(info.Paths, name) {
			text = resolve(dir, text)
		}
		rule.Arguments[name] = text
	}
	return rule
}

// Summary returns the tool and the beginning of the arguments on one short line.
// [Call.Arguments] has all of them.
func (c Call) Summary() string {
	const most = 120
	args := string(c.Arguments)
	if v, err := jsonvalue.Parse(args); err == nil && v.Is(jsonvalue.Object) {
		var members []string
		for i, key := range v.Keys {
			members = append(members, key+": "+printable.Short(v.List[i].Raw, most/2))
		}
		args = strings.Join(members, ", ")
	}
	return c.Name + "(" + printable.Short(args, most) + ")"
}
