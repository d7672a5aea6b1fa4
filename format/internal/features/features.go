// Package features holds what each wire can carry of the canonical chat, as data:
// encoders take the words of their losses from it, and the documentation is
// made from it, so that neither can say what the other does not.
package features

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Feature is something of the canonical chat that some wire cannot hold.
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
	StrayResult       Feature = "results without a call"
	RepeatedResult    Feature = "several results of one call"
	UnansweredCall    Feature = "calls without a result, in a request"
	ToolSchema        Feature = "JSON Schema of tools"
	Strict            Feature = "strict tools"
	CustomTool        Feature = "custom (free-text) tools"
	HostedTool        Feature = "tools that a provider runs"
	ClientTool        Feature = "tools that a provider defines and the client runs"
	Namespace         Feature = "namespaces of tools"
	ChoiceNone        Feature = "tool choice: none"
	ChoiceRequired    Feature = "tool choice: required"
	ChoiceOne         Feature = "tool choice: one tool"
	ChoiceAllowed     Feature = "tool choice: allowed tools"
	GoneChoice        Feature = "tool choice: tools that are not sent"
	UnknownChoice     Feature = "tool choice: tools that are not declared"
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

// CustomCall is what is done with a call of a custom tool where there are none.
const CustomCall = "a call with the argument \"input\""

// Fate is what becomes of a feature.
type Fate uint8

// The fates.
const (
	Carried Fate = iota + 1 // as it is
	Changed                 // in another shape
	Lost
)

var fateNames = [...]string{"unknown", "carried", "changed", "lost"}

// String returns the fate in lower case.
func (f Fate) String() string { return fateNames[min(int(f), len(fateNames)-1)] }

// Entry is what a wire does with a feature.
type Entry struct {
	Fate   Fate
	Reason string // why it cannot be carried; of what is carried, why not always
	Done   string // what is done instead; of what is carried, how
}

func carried(how string) Entry { return Entry{Fate: Carried, Done: how} }

// unless is carried for what has exceptions: why is what an encoder says of one.
func unless(why, how string) Entry { return Entry{Carried, why, how} }

func changed(why, done string) Entry { return Entry{Changed, why, done} }
func lost(why, done string) Entry    { return Entry{Lost, why, done} }

// foreign is lost as what another wire has: there may be the like here, but
// nothing that takes it as it is.
func foreign() Entry {
	return lost("it is specific to the other wire", "left out")
}

// Of returns what a wire does with a feature.
func Of(wire string, f Feature) (e Entry, ok bool) {
	w := wireOf(wire)
	if e, ok = w.features[f]; ok || w.name == "" {
		return e, ok
	}
	for i := range features {
		if row := &features[i]; row.Feature == f {
			return row.usual, row.usual.Fate != 0
		}
	}
	return e, false
}

// Log collects the losses of one translation. Its zero value lacks the wire.
type Log struct {
	Wire   string
	Losses []chat.Loss

	cut  bool
	told map[string]bool // what AddOnce has added
}

// maxLosses bounds what hostile input can make of a log.
const maxLosses = 10_000

// Add reports that a feature at a field is not carried as it is. A text in done
// takes the place of the table's words, for what has particulars to tell. What
// the table calls carried may be reported, too, where it cannot be just there.
func (l *Log) Add(f Feature, field string, done ...string) {
	if l.full() {
		return
	}
	e, ok := Of(l.Wire, f)
	if !ok || e.Fate == Carried && e.Reason == "" {
		e = lost("the wire has no place for it", "left out")
	}
	loss := chat.Loss{Field: field, Reason: e.Reason, Done: e.Done, Minor: isMinor(f, field)}
	if len(done) > 0 {
		loss.Done = done[0]
	}
	l.Losses = append(l.Losses, loss)
}

// AddFor reports a loss for a reason that is not that of a feature.
func (l *Log) AddFor(reason, field, done string) {
	if !l.full() {
		l.Losses = append(l.Losses, chat.Loss{Field: field, Reason: reason, Done: done})
	}
}

// AddOnce is Add for what comes again and again in a stream: of a feature at a
// field it reports the first.
func (l *Log) AddOnce(f Feature, field string, done ...string) {
	key := string(f) + "\x00" + field
	if l.told[key] || len(l.told) == maxLosses {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[key] = true
	l.Add(f, field, done...)
}

// Finish reports, once for a field, a finish reason that the wire has no word for,
// with the provider's own word.
func (l *Log) Finish(feature Feature, field string, f chat.Finish) {
	if f.Word == "" {
		l.AddOnce(feature, field)
		return
	}
	e, _ := Of(l.Wire, feature)
	l.AddOnce(feature, field, e.Done+"; the reason was "+strconv.Quote(f.Word))
}

// Foreign reports an extra of a stream that is of another wire than the log's,
// once for each path, and tells whether it was one. What says nothing is no loss.
func (l *Log) Foreign(wire string, d toolcall.Delta) bool {
	if wire == l.Wire {
		return false
	}
	if !saysNothing(d.Name, d.Text) && !isDefault(wire, d.Name, d.Text) {
		l.AddOnce(ForeignExtra, "stream."+d.Name)
	}
	return true
}

// saysNothing reports whether the value of a member is as good as none: null,
// empty, or in a usage a count of nothing.
func saysNothing[T string | json.RawMessage](path string, value T) bool {
	switch string(value) {
	case "null", `""`, "[]": // but {} may switch something on
		return true
	case "0":
		return strings.HasPrefix(path, "usage")
	}
	return false
}

// Unplaced reports an extra of the log's own wire that has no place any more,
// once for each path.
func (l *Log) Unplaced(d toolcall.Delta) { l.AddOnce(OwnExtra, "stream."+d.Name, "left out") }

// full reports whether no more is collected, and says so in the log.
func (l *Log) full() bool {
	if len(l.Losses) < maxLosses {
		return false
	}
	if !l.cut {
		l.cut = true
		l.Losses = append(l.Losses, chat.Loss{Field: "...", Reason: "there are too many losses to list", Done: "left out of this list"})
	}
	return true
}

// Extras reports those extras of the value at field that are another wire's and
// say anything.
func (l *Log) Extras(field string, extras chat.Extras) {
	for _, x := range extras {
		name := pathOf(x)
		if x.Wire == l.Wire || x.Spelling || saysNothing(name, x.Value) || isDefault(x.Wire, name, string(x.Value)) {
			continue
		}
		if field != "" {
			name = field + "." + name
		}
		l.Add(ForeignExtra, name)
	}
}
