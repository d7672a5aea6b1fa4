// Package batch reads the answers of models in JSON Lines: logs, rollouts, batch outputs,
// data sets. It converts each record into one record of calls, text and reasoning, in the
// same order, on all cores and in bounded memory.
//
//	b, err := batch.New(batch.Options{Kit: toolparse.Options{Model: "qwen3-coder"}, Fields: []string{"completion"}})
//	stats, err := b.Run(ctx, w, r)
//
// A record that cannot be read becomes an error record with its line number, and the run
// continues. Records are independent: the concatenated outputs for the parts of an input
// are the output for the whole.
package batch

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/fieldpath"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/internal/wire/sniff"
)

// Options configure how records are read. The zero value recognises the shape of each
// record, and searches its text as "auto" does.
type Options struct {
	// Kit configures how answers are read. If it has neither a dialect nor a model, all
	// text is searched as "auto" does, also on wires.
	Kit toolparse.Options

	// Fields are the gjson paths of what to read: texts, bodies, recorded streams,
	// messages and lists of them. Nil means to recognise the record's shape.
	Fields []string
	// ModelField is the path of the model's name, which then replaces Kit.Dialect.
	ModelField string
	// ToolsField is the path of the declared tools, which then replace Kit.Tools.
	ToolsField string

	// SpecialField is the path of the ranges of a text that were special tokens, a list
	// of [start, end] in Unit. Markers outside of them are text. The record must contain
	// exactly one text.
	SpecialField string

	// ResultField writes each record with its result as a member of this name.
	ResultField string
	// Spans adds the spans of calls, names, arguments, text and reasoning.
	Spans bool
	// Unit is the unit of offsets in results.
	Unit toolparse.Unit

	// Strict ends the run at the first record that cannot be read.
	Strict bool
	// Workers is the number of records read in parallel; 0 means the number of
	// processors.
	Workers int
	// FirstLine is the number of the input's first line, for an input that is part of a
	// larger one; 0 means 1.
	FirstLine int64
	// MaxRecordBytes limits a record; 0 means 32 MiB.
	MaxRecordBytes int
}

const defaultMaxRecord = 32 << 20

// Batch reads records. It is safe for concurrent use.
type Batch struct {
	opts Options
	kit  *toolparse.Kit
	file string // the name to write into each result; "" for none
	skip int64  // records to skip because an earlier run has written their results

	mu   sync.Mutex
	kits map[kitKey]kitOf // for models and tools that records name
}

// kitKey identifies the kit of a record.
type kitKey struct{ model, tools string }

type kitOf struct {
	kit     *toolparse.Kit
	unknown bool // the model is unknown, so that the text is read without it
	err     error
}

// maxKits limits the kits that are kept. Records with their own tools rarely use more
// lists than this at a time.
const maxKits = 1024

var errNameTwice = errors.New("set either a dialect or a model for all records, or the field that names the model of each")

// New validates and compiles the options.
func New(opts Options) (*Batch, error) {
	if opts.ModelField != "" && (opts.Kit.Dialect != "" || opts.Kit.Model != "" || opts.Kit.Custom != nil) {
		return nil, errNameTwice
	}
	if opts.ToolsField != "" && len(opts.Kit.Tools) > 0 {
		return nil, errors.New("set either tools for all records, or the field with the tools of each")
	}
	opts.Kit.Spans, opts.Kit.NoMessage = opts.Spans, true
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

// part returns b for a file and the number of records to skip. Both share what was compiled.
func (b *Batch) part(file string, skip int64) *Batch {
	return &Batch{opts: b.opts, kit: b.kit, file: file, skip: skip, kits: map[kitKey]kitOf{}}
}

// withDialect selects "auto" unless a dialect or a model is set.
func withDialect(opts toolparse.Options) toolparse.Options {
	if opts.Dialect == "" && opts.Model == "" && opts.Custom == nil {
		opts.Dialect = "auto"
	}
	return opts
}

// kitFor returns the kit for a record.
func (b *Batch) kitFor(record []byte) (kitOf, error) {
	if b.opts.ModelField == "" && b.opts.ToolsField == "" {
		return kitOf{kit: b.kit}, nil
	}
	var key kitKey
	if path := b.opts.ModelField; path != "" {
		v, err := fieldpath.Find(record, path)
		if err != nil {
			return kitOf{}, err
		}
		if v.Kind != jsonindex.String {
			return kitOf{}, fmt.Errorf("field %q: expected the name of a model, got %s", path, v.Kind.Phrase())
		}
		key.model = v.Text()
	}
	if path := b.opts.ToolsField; path != "" {
		v, err := fieldpath.Find(record, path)
		if err != nil {
			return kitOf{}, err
		}
		if key.tools = string(v.Raw); v.Kind == jsonindex.String { // data sets store lists as text
			key.tools = v.Text()
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
		if _, ok := dialect.ForModel(key.model); ok {
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
	text string // that its offsets refer to; "" if there is none
	free func() // call it when the answer is not used any more; may be nil
}

// open reads a source: a text, a recorded stream, or a body in a wire that may be known.
func open(kit *toolparse.Kit, wire format.Wire, src *source) (answer, error) {
	var a *toolparse.Answer
	var free func()
	var err error
	switch {
	case src.special != nil:
		a, err = kit.ParseSpecial(src.data, src.special)
	case src.message != nil:
		a, err = kit.Message(src.wire, *src.message)
	case src.isBody():
		a, err = kit.Collect(&src.body)
		free = src.body.Free
	case wire == format.Text, (wire == format.Auto || wire == "") && sniff.IsPlain(src.data):
		a, err = kit.Parse(src.data)
	default:
		a, err = kit.Body(wire, []byte(src.data))
	}
	if a != nil && a.Wire != format.Text {
		return answer{a, src.path, "", free}, err
	}
	return answer{a, src.path, src.content(), free}, err
}
