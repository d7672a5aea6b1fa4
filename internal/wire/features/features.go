// Package features is a table of what each wire can carry of the canonical chat. Encoders
// take the texts of their losses from it, and the documentation is generated from it, so
// that the two always agree.
package features

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Feature is a part of the canonical chat that some wire cannot express.
type Feature string

// The features, in the order of the documentation.
const (
	SystemRole        Feature = "system messages, in their place"
	DeveloperRole     Feature = "developer role"
	OtherRole         Feature = "roles of another wire"
	EmptyMessage      Feature = "messages without content"
	UserImage         Feature = "images"
	UserFile          Feature = "files"
	MediaURL          Feature = "images and files by URL"
	MediaID           Feature = "files by a provider's id"
	ForeignMediaID    Feature = "files by another provider's id"
	MediaGoogle       Feature = "images and files that only Google can fetch"
	MediaType         Feature = "types of images and files, such as audio"
	MediaName         Feature = "files without a name"
	PartOrder         Feature = "order of text and calls"
	ReasoningText     Feature = "reasoning"
	Signature         Feature = "signatures"
	ForeignSignature  Feature = "signatures of another provider"
	Redacted          Feature = "encrypted reasoning"
	ForeignRedacted   Feature = "encrypted reasoning of another provider"
	Refusal           Feature = "refusals"
	CallID            Feature = "call ids"
	IllegalID         Feature = "call ids that the wire does not accept"
	RepeatedID        Feature = "missing or repeated call ids"
	IllegalName       Feature = "tool names that the wire does not accept"
	BrokenArguments   Feature = "arguments that are not valid JSON"
	RepairedArguments Feature = "arguments that are nearly JSON"
	NotObject         Feature = "arguments that are not an object"
	ParallelResults   Feature = "results of parallel calls"
	ResultError       Feature = "error flag of results"
	ResultImage       Feature = "images in results"
	ResultFile        Feature = "files in results"
	ResultWithoutCall Feature = "results without a call"
	RepeatedResult    Feature = "several results of one call"
	UnansweredCall    Feature = "calls without a result, in a request"
	ToolSchema        Feature = "JSON Schema of tools"
	Strict            Feature = "strict tools"
	CustomTool        Feature = "custom (free-text) tools"
	HostedTool        Feature = "tools that a provider runs or loads"
	ClientTool        Feature = "tools that a provider defines and the client runs"
	Namespace         Feature = "namespaces of tools"
	ChoiceNone        Feature = "tool choice: none"
	ChoiceRequired    Feature = "tool choice: required"
	ChoiceOne         Feature = "tool choice: one tool"
	ChoiceAllowed     Feature = "tool choice: allowed tools"
	ChoiceNotSent     Feature = "tool choice: tools that are not sent"
	ChoiceNotDeclared Feature = "tool choice: tools that are not declared"
	NoTools           Feature = "tool choice and parallel calls, without tools"
	ParallelCalls     Feature = "parallel calls on or off"
	Temperature       Feature = "temperature"
	TopP              Feature = "top_p"
	TokenLimit        Feature = "token limit"
	NoTokenLimit      Feature = "no token limit"
	Stop              Feature = "stop sequences"
	StreamFlag        Feature = "stream flag"
	Model             Feature = "model"
	ResponseID        Feature = "id of the answer"
	Created           Feature = "time of the answer"
	Choices           Feature = "several choices"
	UsageCounts       Feature = "token usage"
	CacheUsage        Feature = "usage: cached input"
	CacheWriteUsage   Feature = "usage: cache writes"
	ReasoningUsage    Feature = "usage: reasoning"
	FinishToolCalls   Feature = "finish: tool calls"
	FinishFilter      Feature = "finish: content filter"
	FinishRefusal     Feature = "finish: refusal"
	FinishPause       Feature = "finish: pause"
	FinishError       Feature = "finish: error"
	FinishFailed      Feature = "finish: a reason together with an error"
	FinishOther       Feature = "finish: a provider-specific reason"
	StreamedArguments Feature = "streamed arguments"
	InterleavedCalls  Feature = "interleaved calls"
	Failure           Feature = "errors"
	Restart           Feature = "restarted messages"
	AfterFinish       Feature = "output after the finish reason"
	NamelessCall      Feature = "calls without a name"
	DifferentEnd      Feature = "final arguments that contradict the streamed ones"
	SettingValue      Feature = "values of settings that the wire lacks"
	ForeignExtra      Feature = "fields of another wire"
	OwnExtra          Feature = "wire-specific fields in a stream"
	OtherPart         Feature = "parts of another wire"
)

// OfMedia returns the feature that a part is an instance of, an image or a file.
func OfMedia(kind chat.PartKind, image, file Feature) Feature {
	if kind == chat.PartFile {
		return file
	}
	return image
}

// CustomCall describes a call of a custom tool on wires without such tools.
const CustomCall = "a call with the argument \"input\""

// Outcome is what happens to a feature on a wire.
type Outcome uint8

// The outcomes.
const (
	Carried Outcome = iota + 1 // as it is
	Changed                    // in another form
	Lost
)

// Entry says what a wire does with a feature.
type Entry struct {
	Outcome Outcome
	Reason  string // why the wire cannot carry it; if Carried, the reason for exceptions
	Action  string // what is done instead; if Carried, how
}

func carried(how string) Entry { return Entry{Outcome: Carried, Action: how} }

// unless returns an entry for a feature that is carried with exceptions. why is the
// encoder's reason for an exception.
func unless(why, how string) Entry { return Entry{Carried, why, how} }

func changed(why, done string) Entry { return Entry{Changed, why, done} }
func lost(why, done string) Entry    { return Entry{Lost, why, done} }

// foreign returns an entry for members of other wires: this one may have something
// similar, but nothing that takes the value as it is.
func foreign() Entry {
	return lost("it is specific to the other wire", "left out")
}

// Of returns the entry of a feature on a wire.
func Of(wire string, f Feature) (e Entry, ok bool) {
	w := wireOf(wire)
	if e, ok = w.features[f]; ok || w.name == "" {
		return e, ok
	}
	for i := range features {
		if row := &features[i]; row.Feature == f {
			return row.defaults, row.defaults.Outcome != 0
		}
	}
	return e, false
}

// Log collects the losses of one translation. Set its Wire before use.
type Log struct {
	Wire   string
	Losses []chat.Loss

	cut  bool
	once map[string]bool // the losses that AddOnce has added
}

// maxLosses limits the losses that hostile input can cause.
const maxLosses = 10_000

// Add reports that a feature in a field is not carried as it is. done replaces the
// table's text about what was done. Add may also report features that the table calls
// Carried, if they cannot be carried in this place.
func (l *Log) Add(f Feature, field string, done ...string) {
	if l.full() {
		return
	}
	e, ok := Of(l.Wire, f)
	if !ok || e.Outcome == Carried && e.Reason == "" {
		e = lost("the wire has no place for it", "left out")
	}
	loss := chat.Loss{Field: field, Reason: e.Reason, Action: e.Action, Minor: isMinor(f, field)}
	if len(done) > 0 {
		loss.Action = done[0]
	}
	l.Losses = append(l.Losses, loss)
}

// AddFor reports a loss with a reason that does not come from the table.
func (l *Log) AddFor(reason, field, done string) {
	if !l.full() {
		l.Losses = append(l.Losses, chat.Loss{Field: field, Reason: reason, Action: done})
	}
}

// AddOnce is Add for losses that a stream repeats: it reports only the first one for a
// feature and a field.
func (l *Log) AddOnce(f Feature, field string, done ...string) {
	key := string(f) + "\x00" + field
	if l.once[key] || len(l.once) == maxLosses {
		return
	}
	if l.once == nil {
		l.once = map[string]bool{}
	}
	l.once[key] = true
	l.Add(f, field, done...)
}

// Finish reports, once for each field, a finish reason that the wire has no word for,
// with the provider's word.
func (l *Log) Finish(feature Feature, field string, f chat.Finish) {
	if f.Word == "" {
		l.AddOnce(feature, field)
		return
	}
	e, _ := Of(l.Wire, feature)
	l.AddOnce(feature, field, e.Action+"; the reason was "+strconv.Quote(f.Word))
}

// Usage reports, once, the counts of an answer that the wire does not have or that, unless
// they come from there, have another form.
func (l *Log) Usage(m chat.Meta) {
	for _, c := range [...]struct {
		count   int
		feature Feature
		field   string
	}{
		{m.Usage.CachedInput, CacheUsage, "usage.cached_input"},
		{m.Usage.CacheWrite, CacheWriteUsage, "usage.cache_write"},
		{m.Usage.Reasoning, ReasoningUsage, "usage.reasoning"},
	} {
		if c.count == 0 {
			continue
		}
		if e, _ := Of(l.Wire, c.feature); e.Outcome == Lost || e.Outcome == Changed && m.Wire != l.Wire {
			l.AddOnce(c.feature, c.field)
		}
	}
}

// ReportForeign reports an extra in a stream if it belongs to another wire, once for each
// path. It returns whether the extra does. Empty values are not reported.
func (l *Log) ReportForeign(wire string, d toolcall.Delta) bool {
	if wire == l.Wire {
		return false
	}
	if !isEmpty(d.Name, d.Text) && !isDefault(wire, d.Name, d.Text) {
		l.AddOnce(ForeignExtra, "stream."+d.Name)
	}
	return true
}

// isEmpty reports whether a value is as good as absent: null, empty or, in a usage,
// 0.
func isEmpty[T string | json.RawMessage](path string, value T) bool {
	switch string(value) {
	case "null", `""`, "[]": // but not {}, which may switch something on
		return true
	case "0":
		return strings.HasPrefix(path, "usage")
	}
	return false
}

// ReportUnplaced reports an extra of the log's own wire that can no longer be written,
// once for each path.
func (l *Log) ReportUnplaced(d toolcall.Delta) { l.AddOnce(OwnExtra, "stream."+d.Name, "left out") }

// full reports whether the log is full, and says so in the log.
func (l *Log) full() bool {
	if len(l.Losses) < maxLosses {
		return false
	}
	if !l.cut {
		l.cut = true
		l.Losses = append(l.Losses, chat.Loss{Field: "...", Reason: "there are too many losses to list", Action: "left out of this list"})
	}
	return true
}

// ReportExtras reports the extras of the value at field that belong to other wires,
// except empty ones.
func (l *Log) ReportExtras(field string, extras chat.Extras) {
	for _, x := range extras {
		name := pathOf(x)
		if x.Wire == l.Wire || x.Spelling || isEmpty(name, x.Value) || isDefault(x.Wire, name, string(x.Value)) {
			continue
		}
		if field != "" {
			name = field + "." + name
		}
		l.Add(ForeignExtra, name)
	}
}

// features lists the features, each with the default entry for wires that have none of
// their own. If there is no default, every wire has an entry.
var features = [...]struct {
	Feature
	defaults Entry
}{
	{SystemRole, carried("")},
	{DeveloperRole, carried("")},
	{OtherRole, lost("the wire has no such role", "left out")},
	{EmptyMessage, unless("the wire cannot express any of its content", "as it is")},
	{Feature: UserImage},
	{Feature: UserFile},
	{MediaURL, carried("")},
	{Feature: MediaID},
	{ForeignMediaID, changed("a provider has only its own files", "a text names it")},
	{MediaGoogle, changed("the provider can fetch public URLs only", "a text names it")},
	{Feature: MediaType},
	{MediaName, changed("a file needs a name", "the type gives one")},
	{Feature: PartOrder},
	{Feature: ReasoningText},
	{Feature: Signature},
	{ForeignSignature, lost("a provider accepts only its own signatures", "left out")},
	{Feature: Redacted},
	{ForeignRedacted, lost("only the provider that encrypted it can decrypt it", "left out")},
	{Refusal, changed("the wire has no refusals", "text")},
	{Feature: CallID},
	{IllegalID, carried("any")},
	{RepeatedID, changed("every call needs an id of its own", "a generated id, in calls and results")},
	{IllegalName, changed("the wire does not accept the name", "replaced by another name")},
	{Feature: BrokenArguments},
	{RepairedArguments, changed("the arguments are not valid JSON", "repaired, as when they are parsed")},
	{NotObject, carried("arguments are text")},
	{Feature: ParallelResults},
	{ResultError, changed("results have no error flag", "the text begins with [tool_error]")},
	{Feature: ResultImage},
	{Feature: ResultFile},
	{ResultWithoutCall, changed("a result must follow its call", "a user message with its text")},
	{RepeatedResult, unless("the call already has a result", "sent as they are; the server may refuse them")},
	{UnansweredCall, carried("as it is")},
	{ToolSchema, changed("strict tools allow no optional parameters and no additional properties", "strict schemas are rewritten, others sent as they are")},
	{Strict, changed("strict tools allow only a part of JSON Schema", "carried; not strict if the schema cannot be rewritten")},
	{CustomTool, changed("the wire has no free-text tools", "a tool with the parameter \"input\"")},
	{HostedTool, lost("only its own provider can run or load it", "left out")},
	{ClientTool, changed("the wire has no such type", "a function with the same arguments")},
	{Namespace, changed("the wire has no namespaces", "becomes the beginning of the name")},
	{ChoiceNone, carried("")},
	{ChoiceRequired, carried("")},
	{ChoiceOne, carried("")},
	{ChoiceAllowed, carried("allowed_tools")},
	{ChoiceNotSent, changed("the choice names only tools that are not sent", "auto, or none if no other tool may be called")},
	{ChoiceNotDeclared, unless("no tool of this name is declared", "sent as it is; the server may refuse it")},
	{NoTools, lost("the request has no tools to call", "left out")},
	{ParallelCalls, carried("")},
	{Temperature, carried("")},
	{TopP, carried("")},
	{Feature: TokenLimit},
	{NoTokenLimit, carried("")},
	{Feature: Stop},
	{StreamFlag, carried("")},
	{Model, unless("a request names its model", "")},
	{Feature: ResponseID},
	{Feature: Created},
	{Feature: Choices},
	{UsageCounts, carried("")},
	{Feature: CacheUsage},
	{CacheWriteUsage, lost("cache writes are not counted", "left out")},
	{Feature: ReasoningUsage},
	{Feature: FinishToolCalls},
	{Feature: FinishFilter},
	{Feature: FinishRefusal},
	{FinishPause, changed("the wire has no such reason", "stop")},
	{Feature: FinishError},
	{FinishFailed, unless("nothing may follow an error", "in a chunk before the error")},
	{FinishOther, changed("the wire has no such reason", "length, because the answer may be incomplete")},
	{StreamedArguments, carried("")},
	{InterleavedCalls, changed("the wire has only whole calls", "held until complete")},
	{Feature: Failure},
	{Restart, changed("output cannot be taken back", "if a call was open, the stream ends with an error; otherwise the text continues")},
	{AfterFinish, lost("nothing may follow the finish reason or an error", "left out")},
	{NamelessCall, lost("a call needs a name", "left out")},
	{DifferentEnd, changed("output cannot be taken back", "the call ends incomplete")},
	{SettingValue, changed("the wire has no such value", "the nearest value")},
	{ForeignExtra, foreign()},
	{OwnExtra, unless("their place is already written, or is missing", "as near to their place as possible")},
	{OtherPart, foreign()},
}
