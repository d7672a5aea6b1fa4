package toolfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

const wantTool = `expected a tool: an object with "function" (OpenAI), "input_schema" (Anthropic), "functionDeclarations" (Gemini) or "inputSchema" (MCP)`

// reader collects the tools of one file.
type reader struct {
	tools  []chat.Tool
	hosted []string          // see List
	seen   map[string]string // tool name: path of its first definition

	warnings []Warning
}

// any reads a list of tools, or an object that is a tool or contains tools.
func (r *reader) any(v *jsonvalue.Value, path string) error {
	if v.Is(jsonvalue.Array) {
		return r.list(v, path)
	}
	if !v.Is(jsonvalue.Object) {
		return mismatch(path, "expected a list of tools, or an object with such a list", v)
	}
	switch tools := v.Get("tools"); {
	case slices.ContainsFunc(declarationKeys, tools.Has): // Gemini's form, without the list around it
		return r.tool(tools, path+".tools")
	case tools != nil:
		return r.list(tools, path+".tools")
	case v.Get("result").Is(jsonvalue.Object): // JSON-RPC around MCP's tools/list
		return r.any(v.Get("result"), path+".result")
	}
	return r.tool(v, path)
}

func (r *reader) list(v *jsonvalue.Value, path string) error {
	if !v.Is(jsonvalue.Array) {
		return mismatch(path, "expected a list of tools", v)
	}
	for i, item := range v.List {
		if err := r.tool(item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// tool reads one element of a list. One in Gemini's form may contain several tools.
func (r *reader) tool(v *jsonvalue.Value, path string) error {
	if !v.Is(jsonvalue.Object) {
		return mismatch(path, wantTool, v)
	}
	for _, key := range declarationKeys {
		if v.Has(key) {
			return r.list(v.Get(key), path+"."+key)
		}
	}
	kind := v.Get("type")
	r.checkType(kind, path)
	for _, key := range []string{"function", "custom"} {
		inner := v.Get(key)
		if inner == nil {
			continue
		}
		if !inner.Is(jsonvalue.Object) {
			return mismatch(path+"."+key, "expected an object with the tool's name", inner)
		}
		if key == "custom" && inner.Get("name").Is(jsonvalue.String) {
			return r.vendor(format.OpenAI, v, key, path)
		}
		return r.declare(inner, path+"."+key, others(format.OpenAI, "", v, key))
	}
	what := hosted(v)
	switch {
	case what == "namespace":
		return r.vendor(format.Responses, v, what, path)
	case datedType.MatchString(what):
		return r.vendor(format.Anthropic, v, what, path)
	case kind.Is(jsonvalue.String) && kind.Text == "custom" && !slices.ContainsFunc(schemaKeys, v.Has):
		return r.vendor(format.Responses, v, "custom", path) // Anthropic's custom tools have a schema
	case v.Has("input_schema"):
		return r.declare(v, path, others(format.Anthropic, "", v))
	case v.Has("name"):
		return r.declare(v, path, nil)
	case what != "" && kind.Is(jsonvalue.String):
		return r.vendor(format.Responses, v, what, path)
	case what != "":
		r.hosted = append(r.hosted, what)
		return nil
	}
	return &Error{Path: path, Reason: wantTool}
}

// vendor reads a tool that the wire defines by its type: a namespace of tools, a tool
// that the client runs, such as apply_patch, or one that the provider runs itself.
func (r *reader) vendor(wire format.Wire, v *jsonvalue.Value, what, path string) error {
	codec, err := all.CodecOf(wire)
	if err != nil {
		return err
	}
	tools, err := codec.DecodeTools([]byte("[" + v.Raw + "]"))
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

// others returns the members of a tool that the readers of all forms do not know, so that
// its own wire has them again. known are further members that are read.
func others(wire format.Wire, in string, v *jsonvalue.Value, known ...string) (extras chat.Extras) {
	for i, key := range v.Keys {
		if isSet(v.List[i]) && !slices.Contains(slices.Concat(known, schemaKeys, besideSchema, []string{"type", "name", "description", "strict"}), key) {
			extras = append(extras, chat.Extra{Wire: string(wire), In: in, Name: strings.Clone(key), Value: json.RawMessage(strings.Clone(v.List[i].Raw))})
		}
	}
	return extras
}

// declare adds the tool with the name, description and schema in v, and these extras.
func (r *reader) declare(v *jsonvalue.Value, path string, extras chat.Extras) error {
	name := v.Get("name")
	if !name.Is(jsonvalue.String) {
		return mismatch(path+".name", "expected a string", name)
	}
	if name.Text == "" {
		return &Error{Path: path + ".name", Reason: "expected the tool's name, got an empty string"}
	}
	t := toolcall.ToolDefinition{Name: strings.Clone(name.Text)}
	if about := v.Get("description"); about.Is(jsonvalue.String) {
		t.Description = strings.Clone(about.Text)
	} else if isSet(about) {
		return mismatch(path+".description", "expected a string", about)
	}
	params, err := parameters(v, path)
	if err != nil {
		return err
	}
	if params == nil {
		if err := noSchema(v, t.Name, path); err != nil {
			return err
		}
	}
	t.Parameters = params
	tool := chat.Tool{ToolDefinition: t, Extras: extras}
	if strict := v.Get("strict"); strict.Is(jsonvalue.Bool) {
		tool.Strict = wire.SwitchOf(strict.IsTrue())
	}
	return r.add(tool, path)
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
		r.warnings = append(r.warnings, Warning{Text: "there are more unknown words"})
	}
}

// checkType warns about a misspelt type of a tool. It is not an error, because the
// tool's other members determine its form.
func (r *reader) checkType(v *jsonvalue.Value, path string) {
	known := []string{"function", "custom"}
	if !v.Is(jsonvalue.String) || slices.Contains(known, v.Text) {
		return
	}
	if similar := near.Misspelling(v.Text, known); similar != "" {
		r.warn(v.Text, fmt.Sprintf("%s.type: unknown type %q of a tool; did you mean %q?", path, v.Text, similar))
	}
}

// declarationKeys are the members of Gemini's tools that contain a list of functions.
var declarationKeys = []string{"functionDeclarations", "function_declarations"}

// schemaKeys are the members that contain a tool's schema.
var schemaKeys = []string{"parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"}

// besideSchema are other members whose names are similar to schemaKeys.
var besideSchema = []string{"outputSchema", "output_schema", "response", "responseJsonSchema", "response_json_schema", "annotations"}

// noSchema returns an error if a tool without a schema seems to be meant to have one:
// it is a call, or the key is misspelt.
func noSchema(v *jsonvalue.Value, name, path string) error {
	for _, key := range slices.Sorted(slices.Values(v.Keys)) {
		switch {
		case slices.Contains(schemaKeys, key), slices.Contains(besideSchema, key):
		case key == "arguments" || key == "args" || key == "input":
			return &Error{Path: path, Reason: fmt.Sprintf("expected a tool, got a call of %q: a tool has \"parameters\", not %q", name, key)}
		case v.Get(key).Is(jsonvalue.Object):
			if similar := near.Names(key, schemaKeys, 1); len(similar) > 0 {
				return &Error{Path: path + "." + key, Reason: fmt.Sprintf("unknown member %q of a tool; did you mean %q?", key, similar[0])}
			}
		}
	}
	return nil
}

// parameters returns the schema of a tool's arguments, or nil if it has none.
func parameters(v *jsonvalue.Value, path string) (json.RawMessage, error) {
	for _, key := range schemaKeys {
		switch schema := v.Get(key); {
		case !isSet(schema):
		case schema.Is(jsonvalue.Object), schema.Is(jsonvalue.Bool):
			return lowerTypes(json.RawMessage(schema.Raw)), nil
		default:
			return nil, mismatch(path+"."+key, "expected a JSON Schema, an object or a boolean", schema)
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
func hosted(v *jsonvalue.Value) string {
	if kind := v.Get("type"); kind.Is(jsonvalue.String) && !slices.Contains([]string{"", "function", "custom"}, kind.Text) {
		return kind.Text
	}
	for _, key := range slices.Sorted(slices.Values(v.Keys)) {
		switch strings.ToLower(strings.ReplaceAll(key, "_", "")) {
		case "googlesearch", "googlesearchretrieval", "googlemaps", "codeexecution", "urlcontext",
			"computeruse", "filesearch", "enterprisewebsearch":
			return key
		}
	}
	return ""
}

// isSet reports whether a member exists and is not null.
func isSet(v *jsonvalue.Value) bool { return v != nil && v.Kind != jsonvalue.Null }

func mismatch(path, want string, got *jsonvalue.Value) *Error {
	kind := jsonvalue.Absent
	if got != nil {
		kind = got.Kind
	}
	words := [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "an object"}
	return &Error{Path: path, Reason: want + ", got " + words[kind]}
}
