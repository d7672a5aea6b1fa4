package batch

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/fieldpath"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/parser"
)

// Options say how records are read. The zero value recognises them, and reads their
// text by "auto".
type Options struct {
	// Kit is what answers are read with. Where it names no dialect and no model, text
	// is searched as by "auto", also that of wires.
	Kit toolparse.Options

	// Fields are the gjson paths of what to read: texts, bodies, recorded streams,
	// messages and lists of them. Without any, the record's shape is recognised.
	Fields []string
	// ModelField is the path of the model's name, which stands for Kit.Dialect.
	ModelField string
	// ToolsField is the path of the declared tools, which stand for Kit.Tools.
	ToolsField string

	// SpecialField is the path of the ranges of a text that came as special tokens, a list
	// of [start, end] in Unit: a marker outside of them is text. The record has to hold
	// one text then.
	SpecialField string

	// ResultField puts the result into the record, as a member of that name.
	ResultField string
	// Spans adds the spans of calls, names, arguments, text and reasoning.
	Spans bool
	// Unit is what their offsets count, and those of the calls.
	Unit toolparse.Unit

	// Strict ends the run at the first record that cannot be read.
	Strict bool
	// Workers is how many records are read at once; as many as there are processors
	// where it is 0.
	Workers int
	// FirstLine is the number of the input's first line; 1 where it is 0. It is for
	// an input that is a part of a larger one.
	FirstLine int64
	// Skip is how many records are passed over: those that an earlier run has written.
	Skip int64
	// File is what the records say they are from; they do not where it is "".
	File string
	// MaxRecordBytes bounds a record; 32 MiB where it is 0.
	MaxRecordBytes int
}

const defaultMaxRecord = 32 << 20

// Batch reads records. It is safe for concurrent use.
type Batch struct {
	opts Options
	kit  *toolparse.Kit

	mu   sync.Mutex
	kits map[kitKey]kitOf // of models and tools that records name
}

// kitKey is what a record says of its kit.
type kitKey struct{ model, tools string }

type kitOf struct {
	kit     *toolparse.Kit
	unknown bool // the model is, so that the text is read as without it
	err     error
}

// maxKits bounds the kits that are kept. Records with their own tools seldom come with
// more lists than this at a time.
const maxKits = 1024

var errNameTwice = errors.New("a dialect or a model was named for all records, and a field with the model of each")

// New checks options and compiles what they say.
func New(opts Options) (*Batch, error) {
	if opts.ModelField != "" && (opts.Kit.Dialect != "" || opts.Kit.Model != "" || opts.Kit.Custom != nil) {
		return nil, errNameTwice
	}
	if opts.ToolsField != "" && len(opts.Kit.Tools) > 0 {
		return nil, errors.New("tools were given for all records, and a field with the tools of each")
	}
	opts.Kit.Spans = opts.Spans
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.MaxRecordBytes <= 0 {
		opts.MaxRecordBytes = defaultMaxRecord
	}
	opts.FirstLine = max(opts.FirstLine, 1)
	b := &Batch{opts: opts, kits: map[kitKey]kitOf{}}
	var err error
	b.kit, err = toolparse.New(withDialect(opts.Kit))
	return b, err
}

// Part returns b for another part of the input: the options that concern it are
// those of part. What was compiled is shared.
func (b *Batch) Part(file string, firstLine, skip int64) *Batch {
	part := &Batch{opts: b.opts, kit: b.kit, kits: map[kitKey]kitOf{}}
	part.opts.File, part.opts.FirstLine, part.opts.Skip = file, max(firstLine, 1), skip
	return part
}

// withDialect makes text be searched as by "auto" where nothing else is named.
func withDialect(opts toolparse.Options) toolparse.Options {
	if opts.Dialect == "" && opts.Model == "" && opts.Custom == nil {
		opts.Dialect = "auto"
	}
	return opts
}

// kitFor returns the kit for a record.
func (b *Batch) kitFor(record string) (kitOf, error) {
	if b.opts.ModelField == "" && b.opts.ToolsField == "" {
		return kitOf{kit: b.kit}, nil
	}
	var key kitKey
	if path := b.opts.ModelField; path != "" {
		v, err := fieldpath.Find(record, path)
		if err != nil {
			return kitOf{}, err
		}
		if v.Kind != fieldpath.String {
			return kitOf{}, fmt.Errorf("field %q: expected the name of a model, got %s", path, v.Kind)
		}
		key.model = v.Text
	}
	if path := b.opts.ToolsField; path != "" {
		v, err := fieldpath.Find(record, path)
		if err != nil {
			return kitOf{}, err
		}
		if key.tools = v.Raw; v.Kind == fieldpath.String { // data sets keep lists as text
			key.tools = v.Text
		}
	}
	b.mu.Lock()
	k, ok := b.kits[key]
	b.mu.Unlock()
	if !ok {
		k = b.compile(key)
		b.mu.Lock()
		if len(b.kits) >= maxKits {
			clear(b.kits)
		}
		b.kits[key] = k
		b.mu.Unlock()
	}
	return k, k.err
}

// compile makes the kit of a model and tools.
func (b *Batch) compile(key kitKey) kitOf {
	opts, k := b.opts.Kit, kitOf{}
	if key.model != "" {
		if _, ok := parser.ForModel(key.model); ok {
			opts.Model = key.model
		} else {
			k.unknown = true
		}
	}
	if key.tools != "" && key.tools != "null" {
		if opts.Tools, k.err = toolfile.Parse([]byte(key.tools)); k.err != nil {
			k.err = fmt.Errorf("field %q: %w", b.opts.ToolsField, k.err)
			return k
		}
	}
	k.kit, k.err = toolparse.New(withDialect(opts))
	return k
}

// answer is one of a record's answers.
type answer struct {
	*toolparse.Answer
	path string // where it stands in the record
	text string // that its offsets are of; "" for none
}

// open reads what a source holds: a text, a recorded stream or a body, in a wire that
// may have been named.
func open(kit *toolparse.Kit, wire format.Wire, src source) (answer, error) {
	var a *toolparse.Answer
	var err error
	switch {
	case src.special != nil:
		a, err = kit.ParseSpecial(src.data, src.special)
	case src.message != nil:
		a, err = kit.Message(src.wire, *src.message)
	case src.body != nil:
		a, err = kit.Body(src.wire, src.body)
	case wire == format.Text, (wire == format.Auto || wire == "") && format.IsPlain(src.data):
		a, err = kit.Parse(src.data)
	default:
		a, err = kit.Body(wire, []byte(src.data))
	}
	if a != nil && a.Wire != format.Text {
		return answer{a, src.path, ""}, err
	}
	return answer{a, src.path, src.content()}, err
}
