package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// NewTool returns a tool that calls run. Its parameters are the fields of In;
// [toolparse.Tool] infers them from names, types and tags. run gets arguments that fit
// the schema, with defaults filled in. Other calls are refused with a message to the
// model, which names the nearest parameter for one that does not exist.
//
// The model gets what run returns: a string as it is, a [Result] in full, any other value
// as JSON. run can use [CallFrom] to get the call and to report progress.
//
// The options set the rest of Info, such as the risk. Without options the tool is safe,
// and does not run in parallel with others:
//
//	agent.NewTool("rm", "Removes a file.", rm, func(i *agent.Info) { i.Risk = agent.High })
//
// If In has no fields or JSON cannot express it, [New] reports that.
func NewTool[In, Out any](name, description string, run func(ctx context.Context, in In) (Out, error), options ...func(*Info)) Tool {
	definition, err := toolparse.Tool[In](name, description)
	definition.Name = name
	f := &function[In, Out]{info: Info{ToolDefinition: definition}, run: run}
	for _, option := range options {
		option(&f.info)
	}
	f.info.broken = err
	f.schema = sync.OnceValues(func() (*schema.Schema, error) {
		if err != nil {
			return nil, err
		}
		return schema.Compile(f.info.Parameters)
	})
	return f
}

type function[In, Out any] struct {
	info   Info
	run    func(context.Context, In) (Out, error)
	schema func() (*schema.Schema, error)
}

func (f *function[In, Out]) Info() Info { return f.info }

func (f *function[In, Out]) Call(ctx context.Context, call Call) (Result, error) {
	var in In
	args, err := f.arguments(call)
	if err == nil {
		err = unmarshal(args, &in)
	}
	if err != nil {
		return Result{}, &Error{Category: Validation, Message: fmt.Sprintf("the arguments of %s cannot be read: %v", f.info.Name, err), cause: err}
	}
	out, err := f.run(context.WithValue(ctx, callKey{}, call), in)
	result, failed := asResult(out, err != nil)
	if err == nil {
		err = failed
	}
	return result, err
}

// arguments returns the arguments with defaults filled in, and validates them. An agent
// has done so before, but other callers of a tool may not have.
func (f *function[In, Out]) arguments(call Call) (json.RawMessage, error) {
	s, err := f.schema()
	if err != nil {
		return nil, err
	}
	raw := bytes.TrimSpace(call.Arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	if problems, _ := s.Validate(raw); len(problems) > 0 {
		return nil, fmt.Errorf("at %q: %s", problems[0].Path, problems[0].Message)
	}
	return withDefaults(raw, f.info.Parameters)
}

// unmarshal decodes arguments that fit their schema. For JSON Schema 5.0 and 5e0 are integers,
// but not for Go's decoder, which then gets them without point and exponent.
func unmarshal(args []byte, in any) error {
	err := json.Unmarshal(args, in)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok || !strings.HasPrefix(wrong.Value, "number ") {
		return err
	}
	v, invalid := jsonvalue.Parse(args)
	if invalid != nil {
		return err
	}
	reflect.ValueOf(in).Elem().SetZero()
	return json.Unmarshal(plainIntegers(args, v), in)
}

// plainIntegers returns args, whose value is v, with its integers as digits alone.
func plainIntegers(args []byte, v *jsonvalue.Value) []byte {
	var out []byte
	from := 0
	var add func(*jsonvalue.Value)
	add = func(v *jsonvalue.Value) {
		if v.Is(jsonvalue.Number) && jsonvalue.ParseDecimal(v.Text).IsInteger() {
			if n, ok := jsonvalue.ParseDecimal(v.Text).Rat(); ok {
				out = n.Num().Append(append(out, args[from:v.Start]...), 10)
				from = v.End()
			}
		}
		for _, part := range v.List {
			add(part)
		}
	}
	add(v)
	return append(out, args[from:]...)
}

// asResult converts what a function returned. If the function failed, an empty value
// means no output.
func asResult(out any, failed bool) (Result, error) {
	switch v := out.(type) {
	case Result:
		return v, nil
	case string:
		return Result{Output: v}, nil
	case nil:
		return Result{}, nil
	}
	if failed && reflect.ValueOf(out).IsZero() {
		return Result{}, nil
	}
	var b strings.Builder
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	if err := to.Encode(out); err != nil {
		return Result{}, fmt.Errorf("what the tool returned is not JSON: %w", err)
	}
	return Result{Output: strings.TrimSuffix(b.String(), "\n")}, nil
}

type callKey struct{}

// CallFrom returns the call that a function of [NewTool] runs for, with its id and
// [Call.Report]. For any other context it returns the zero Call, whose
// Report does nothing.
func CallFrom(ctx context.Context) Call {
	call, _ := ctx.Value(callKey{}).(Call)
	return call
}
