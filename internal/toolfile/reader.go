package toolfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

const wantTool = `expected a tool: an object with "function" (OpenAI), "input_schema" (Anthropic), "functionDeclarations" (Gemini) or "inputSchema" (MCP)`

// members holds the undecoded members of a JSON object by their exact names.
type members map[string]json.RawMessage

// reader collects the tools of one file.
type reader struct {
	tools  []chat.Tool
	hosted []string          // see List
	seen   map[string]string // tool name: path of its first definition

	warnings []Warning
}

// any reads a list of tools, or an object that is a tool or contains tools.
func (r *reader) any(v json.RawMessage, path string) error {
	if kind(v) == "a list" {
		return r.list(v, path)
	}
	m, err := object(v, path, "expected a list of tools, or an object with such a list")
	if err != nil {
		return err
	}
	switch {
	case declarations(m["tools"]): // Gemini's form, without the list around it
		return r.tool(m["tools"], path+".tools")
	case m["tools"] != nil:
		return r.list(m["tools"], path+".tools")
	case kind(m["result"]) == "an object": // JSON-RPC around MCP's tools/list
		return r.any(m["result"], path+".result")
	}
	return r.tool(v, path)
}

func (r *reader) list(v json.RawMessage, path string) error {
	var items []json.RawMessage
	if kind(v) != "a list" || json.Unmarshal(v, &items) != nil {
		return mismatch(path, "expected a list of tools", v)
	}
	for i, item := range items {
		if err := r.tool(item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// tool reads one element of a list. One in Gemini's form may contain several tools.
func (r *reader) tool(v json.RawMessage, path string) error {
	m, err := object(v, path, wantTool)
	if err != nil {
		return err
	}
	for _, key := range declarationKeys {
		if m[key] != nil {
			return r.list(m[key], path+"."+key)
		}
	}
	r.checkType(m["type"], path)
	for _, key := range []string{"function", "custom"} {
		if m[key] == nil {
			continue
		}
		inner, err := object(m[key], path+"."+key, "expected an object with the tool's name")
		if err != nil {
			return err
		}
		if key == "custom" && kind(inner["name"]) == "a string" {
			return r.vendor(format.OpenAI, v, key, path)
		}
		return r.declare(inner, path+"."+key)
	}
	what := hosted(m)
	switch {
	case what == "namespace":
		return r.vendor(format.Responses, v, what, path)
	case datedType.MatchString(what):
		return r.vendor(format.Anthropic, v, what, path)
	case string(m["type"]) == `"custom"` && !slices.ContainsFunc(schemaKeys, func(key string) bool { return m[key] != nil }):
		return r.vendor(format.Responses, v, "custom", path) // Anthropic's custom tools have a schema
	case m["name"] != nil:
		return r.declare(m, path)
	case what != "" && kind(m["type"]) == "a string":
		return r.vendor(format.Responses, v, what, path)
	case what != "":
		r.hosted = append(r.hosted, what)
		return nil
	}
	return &Error{Path: path, Reason: wantTool}
}

// vendor reads a tool that the wire defines by its type: a namespace of tools, a tool
// that the client runs, such as apply_patch, or one that the provider runs itself.
func (r *reader) vendor(wire format.Wire, v json.RawMessage, what, path string) error {
	codec, err := format.CodecOf(wire)
	if err != nil {
		return err
	}
	tools, err := codec.DecodeTools(slices.Concat([]byte("["), v, []byte("]")))
	if err != nil {
		return &Error{Path: path, Reason: err.Error()}
	}
	for _, t := range tools {
		if t.Hosted {
			r.hosted = append(r.hosted, what)
		} else if err := r.add(t, path); err != nil {
			return err
		}
	}
	return nil
}

// Anthropic dates the types of the tools that it defines.
var datedType = regexp.MustCompile(`_20\d{6}$`)

// declare adds the tool with the name, description and schema in m.
func (r *reader) declare(m members, path string) error {
	name, err := text(m, "name", path)
	if err != nil {
		return err
	}
	if name == "" {
		return &Error{Path: path + ".name", Reason: "expected the tool's name, got an empty string"}
	}
	about, err := optionalText(m, "description", path)
	if err != nil {
		return err
	}
	params, err := parameters(m, path)
	if err != nil {
		return err
	}
	if params == nil {
		if err := noSchema(m, name, path); err != nil {
			return err
		}
	}
	return r.add(chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: name, Description: about, Parameters: params}}, path)
}

func (r *reader) add(t chat.Tool, path string) error {
	if first, dup := r.seen[t.Name]; dup {
		return &Error{Path: path + ".name", Reason: fmt.Sprintf("tool %q is declared twice, first at %s", t.Name, first)}
	}
	r.seen[t.Name] = path
	r.tools = append(r.tools, t)
	for _, m := range schema.Misspellings(t.Parameters) {
		what := "keyword"
		if m.Type {
			what = "type"
		}
		at := ""
		if m.Path != "" {
			at = " at " + m.Path
		}
		r.warn(m.Word, fmt.Sprintf("tool %q: schema%s: unknown %s %q; did you mean %q?", t.Name, at, what, m.Word, m.Suggestion))
	}
	return nil
}

// maxWarnings bounds the warnings about one file.
const maxWarnings = 20

func (r *reader) warn(word, text string) {
	switch n := len(r.warnings); {
	case n < maxWarnings:
		r.warnings = append(r.warnings, Warning{word, text})
	case n == maxWarnings:
		r.warnings = append(r.warnings, Warning{Text: "more words are unknown than are listed"})
	}
}

// checkType warns about a misspelt type of a tool. It is not an error, because the
// tool's other members determine its form.
func (r *reader) checkType(v json.RawMessage, path string) {
	var word string
	if json.Unmarshal(v, &word) != nil || word == "function" || word == "custom" {
		return
	}
	if meant := near.Misspelling(word, []string{"function", "custom"}); meant != "" {
		r.warn(word, fmt.Sprintf("%s.type: unknown type %q of a tool; did you mean %q?", path, word, meant))
	}
}

// declarationKeys are the members of Gemini's tools that contain a list of functions.
var declarationKeys = []string{"functionDeclarations", "function_declarations"}

func declarations(v json.RawMessage) bool {
	var m members
	return json.Unmarshal(v, &m) == nil && slices.ContainsFunc(declarationKeys, func(key string) bool { return m[key] != nil })
}

// schemaKeys are the members that contain a tool's schema.
var schemaKeys = []string{"parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"}

// besideSchema are other members whose names are similar to schemaKeys.
var besideSchema = []string{"outputSchema", "output_schema", "response", "responseJsonSchema", "response_json_schema", "annotations"}

// noSchema returns an error if a tool without a schema seems to be meant to have one:
// it is a call, or the key is misspelt.
func noSchema(m members, name, path string) error {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch {
		case slices.Contains(schemaKeys, key), slices.Contains(besideSchema, key):
		case key == "arguments" || key == "args" || key == "input":
			return &Error{Path: path, Reason: fmt.Sprintf("expected a tool, got a call of %q: %q is of a call, \"parameters\" of a tool", name, key)}
		case kind(m[key]) == "an object":
			if meant := near.Names(key, schemaKeys, 1); len(meant) > 0 {
				return &Error{Path: path + "." + key, Reason: fmt.Sprintf("unknown member %q of a tool; did you mean %q?", key, meant[0])}
			}
		}
	}
	return nil
}

// parameters returns the schema of a tool's arguments, or nil if it has none.
func parameters(m members, path string) (json.RawMessage, error) {
	for _, key := range schemaKeys {
		switch v := m[key]; kind(v) {
		case "nothing", "null":
		case "an object", "a boolean":
			return lowerTypes(v), nil
		default:
			return nil, mismatch(path+"."+key, "expected a JSON Schema, an object or a boolean", v)
		}
	}
	return nil, nil
}

// geminiType matches a member "type" with one of Gemini's names for types. A quote after a
// backslash does not begin a string.
var geminiType = regexp.MustCompile(`(?:^|[^\\])"type"\s*:\s*"(?:STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT|NULL)"`)

// lowerTypes replaces Gemini's type names in a schema, such as "STRING", by those of
// JSON Schema. All other bytes stay, including the order of the parameters, which models
// see.
func lowerTypes(schema json.RawMessage) json.RawMessage {
	return geminiType.ReplaceAllFunc(schema, bytes.ToLower)
}

// hosted returns the name of a tool that the provider runs itself, such as
// {"type":"web_search"} (OpenAI) or {"googleSearch":{}} (Gemini), or "" for others.
func hosted(m members) string {
	var typ string
	if json.Unmarshal(m["type"], &typ) == nil && typ != "" && typ != "function" && typ != "custom" {
		return typ
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch strings.ToLower(strings.ReplaceAll(key, "_", "")) {
		case "googlesearch", "googlesearchretrieval", "googlemaps", "codeexecution", "urlcontext",
			"computeruse", "filesearch", "enterprisewebsearch":
			return key
		}
	}
	return ""
}

func object(v json.RawMessage, path, want string) (members, error) {
	var m members
	if kind(v) != "an object" || json.Unmarshal(v, &m) != nil {
		return nil, mismatch(path, want, v)
	}
	return m, nil
}

func text(m members, key, path string) (string, error) {
	var s string
	if kind(m[key]) != "a string" || json.Unmarshal(m[key], &s) != nil {
		return "", mismatch(path+"."+key, "expected a string", m[key])
	}
	return s, nil
}

func optionalText(m members, key, path string) (string, error) {
	if k := kind(m[key]); k == "nothing" || k == "null" {
		return "", nil
	}
	return text(m, key, path)
}

func mismatch(path, want string, got json.RawMessage) *Error {
	return &Error{Path: path, Reason: want + ", got " + kind(got)}
}

// kind returns the type of v in words. v must be valid JSON without blanks around it, or
// empty.
func kind(v json.RawMessage) string {
	if len(v) == 0 {
		return "nothing"
	}
	switch v[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
