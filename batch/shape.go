package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/fieldpath"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/wholebody"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/sniff"
)

// source is one answer in a record: a text or a recorded stream, a body, or a message.
type source struct {
	path    string
	data    string
	body    wholebody.Reader // of an object or a list; without a value otherwise
	message *chat.Message
	wire    format.Wire       // of message
	special []toolparse.Range // of a text; nil if unknown
}

// isBody reports whether s is a body.
func (s *source) isBody() bool { return s.body.Value.Kind != jsonindex.Absent }

// content returns the text that offsets refer to.
func (s *source) content() string {
	if s.message == nil {
		return s.data
	}
	return strings.Join(s.texts(), "")
}

// The members that identify the shape of a record, each list in order of precedence.
var (
	conversationMembers = []string{"messages", "contents", "conversations", "conversation", "input"}
	streamMembers       = []string{"stream", "events", "chunks"}
	answerMembers       = []string{"response", "result"}
	textMembers         = []string{
		"completion", "response", "output", "generated_text", "generation", "prediction", "answer", "output_text", "text", "content",
	}
	requestMembers = []string{"request", "body"}
)

var errNoShape = errors.New("the record has no known shape: name the field to read")

// findSources finds the answers in a record, as w.sources.
func (w *worker) findSources(record object) error {
	if err := w.find(record); err != nil || w.batch.opts.SpecialField == "" {
		return err
	}
	return w.addSpecial(record)
}

var (
	errOneText = errors.New("ranges of special tokens need a record with exactly one text")
	errRanges  = errors.New("expected a list of [start, end] in ascending order")
)

// addSpecial adds the record's special tokens to its only text.
func (w *worker) addSpecial(record object) error {
	if len(w.sources) != 1 {
		return errOneText
	}
	src := &w.sources[0]
	if src.isBody() || src.message != nil && len(src.message.Parts) != len(src.texts()) {
		return errOneText
	}
	v, err := fieldpath.Find(record.Raw, w.batch.opts.SpecialField)
	if err != nil {
		return err
	}
	var pairs [][2]int64
	if v.Kind != jsonindex.Array || json.Unmarshal(v.Raw, &pairs) != nil {
		return fmt.Errorf("field %q: %w", w.batch.opts.SpecialField, errRanges)
	}
	src.data, src.message = src.content(), nil
	src.special = make([]toolparse.Range, len(pairs))
	offsets, last := toolparse.NewOffsets(src.data, w.batch.opts.Unit), int64(0)
	for i, pair := range pairs {
		if pair[0] < last || pair[1] < pair[0] {
			return fmt.Errorf("field %q: %w", w.batch.opts.SpecialField, errRanges)
		}
		last = pair[1]
		src.special[i] = toolparse.Range{Start: offsets.Byte(pair[0]), End: offsets.Byte(pair[1])}
	}
	return nil
}

// texts returns the text parts of a message.
func (s *source) texts() []string {
	var texts []string
	for _, p := range s.message.Parts {
		if p.Kind == chat.PartText {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

// find adds the answers in a record to w.sources.
func (w *worker) find(record object) error {
	if len(w.batch.opts.Fields) == 0 {
		return w.recognise(record)
	}
	for _, path := range w.batch.opts.Fields {
		v, err := fieldpath.Find(record.Raw, path)
		if err != nil {
			return err
		}
		if err := w.read(v); err != nil {
			return fmt.Errorf("field %q: %w", path, err)
		}
	}
	return nil
}

// maxWrapped is how many shapes may be inside each other. Each is searched anew for those inside.
const maxWrapped = 4

// recognise adds the answers in a record of a known shape, or in an object inside it.
func (w *worker) recognise(o object) error {
	if w.wrapped == maxWrapped {
		return errNoShape
	}
	w.wrapped++
	defer func() { w.wrapped-- }()
	talk := o.conversation()
	if talk.IsSet() && !o.has(answerMembers...) && !o.has(textMembers...) && !o.has("choices", "candidates") {
		return w.conversation(talk)
	}
	if w.body(o.Value) {
		return nil
	}
	for _, name := range answerMembers {
		v := o.member(name)
		if v.Kind != jsonindex.Object {
			continue
		}
		for _, inner := range [...]fieldpath.Value{v.Member("body"), v.Member("message"), v} {
			if w.body(inner) {
				return nil
			}
		}
		if err := failureOf(objectOf(v, nil)); err != nil {
			return err
		}
	}
	if err := failureOf(o); err != nil {
		return err
	}
	for _, names := range [...][]string{streamMembers, textMembers} {
		for _, name := range names {
			if v := o.member(name); v.Kind == jsonindex.String || v.Kind == jsonindex.Array {
				return w.read(v)
			}
		}
	}
	if talk.IsSet() {
		return w.conversation(talk)
	}
	for _, name := range requestMembers {
		if talk := objectOf(o.member(name), nil).conversation(); talk.IsSet() {
			return w.conversation(talk)
		}
	}
	if api := sniff.Foreign(o.Raw); api != nil {
		return fmt.Errorf("the record is an answer of %s, which uses none of the wire formats; %s", api.Name, api.Use)
	}
	return errNoShape
}

// object is a parsed object.
type object struct {
	fieldpath.Value
	members []member // those that are set, in order
}

type member struct {
	key   []byte
	value jsonindex.Value
}

// objectOf parses v. A value that is not an object has no members. It appends the members
// to buffer.
func objectOf(v fieldpath.Value, buffer []member) object {
	o := object{v, buffer}
	for key, m := range v.Fields() {
		if m.IsSet() {
			o.members = append(o.members, member{key, m})
		}
	}
	return o
}

// value returns the last member with this name, or the zero Value.
func (o object) value(name string) jsonindex.Value {
	for i := len(o.members) - 1; i >= 0; i-- {
		if m := &o.members[i]; string(m.key) == name {
			return m.value
		}
	}
	return jsonindex.Value{}
}

// member is value with its path.
func (o object) member(name string) fieldpath.Value {
	if v := o.value(name); v.Kind != jsonindex.Absent {
		return o.Child(name, v)
	}
	return fieldpath.Value{}
}

// has reports whether the object has one of these members.
func (o object) has(names ...string) bool {
	for i := range o.members {
		if slices.Contains(names, string(o.members[i].key)) {
			return true
		}
	}
	return false
}

// conversation returns the list of messages among the members.
func (o object) conversation() fieldpath.Value {
	for _, name := range conversationMembers {
		if v := o.member(name); v.Kind == jsonindex.Array && isConversation(v) {
			return v
		}
	}
	return fieldpath.Value{}
}

// failureOf returns the error that a record has instead of an answer.
func failureOf(o object) error {
	failure := o.member("error")
	if failure.Kind == jsonindex.Object && failure.Member("error").IsSet() { // Anthropic nests two
		failure = failure.Member("error")
	}
	switch {
	case failure.Kind == jsonindex.String && failure.Text() != "":
		return fmt.Errorf("the request failed: %s", failure.Text())
	case failure.Kind == jsonindex.Object && failure.Member("message").Kind == jsonindex.String:
		return fmt.Errorf("the request failed: %s", failure.Member("message").Text())
	}
	switch kind := o.member("type").Text(); kind {
	case "errored", "canceled", "expired":
		return fmt.Errorf("the request was %s", kind)
	}
	return nil
}

// body adds an object or a list, if it is a provider's body or stream.
func (w *worker) body(v fieldpath.Value) bool {
	if v.Kind != jsonindex.Object && v.Kind != jsonindex.Array || w.batch.opts.Kit.Wire == format.Text {
		return false
	}
	n := len(w.sources)
	w.sources = append(w.sources, source{path: v.Path})
	body := &w.sources[n].body
	body.Reset(v.Value, string(w.batch.opts.Kit.Wire))
	w.sniffed.Reset(body, format.Options{})
	if wire, err := w.sniffed.Wire(); err != nil || wire == format.Text {
		w.sources = w.sources[:n]
		return false
	}
	return true
}

// text adds the text of a value.
func (w *worker) text(v fieldpath.Value) {
	w.sources = append(w.sources, source{path: v.Path, data: v.Text()})
}

// read adds the answers in the value of a field.
func (w *worker) read(v fieldpath.Value) error {
	switch v.Kind {
	case jsonindex.Null:
		return nil // such as the content of a message that only has calls
	case jsonindex.String:
		w.text(v)
		return nil
	case jsonindex.Bool, jsonindex.Number:
		return fmt.Errorf("expected a text, a body or messages, got %s", v.Kind.Phrase())
	case jsonindex.Object:
		if w.body(v) {
			return nil
		}
		o := objectOf(v, nil)
		if o.has("role") {
			list := fieldpath.Root(append(v.AppendJSON([]byte{'['}), ']'))
			list.Path = v.Path
			return w.conversation(list)
		}
		return w.recognise(o)
	}
	items := v.Items()
	switch {
	case len(items) == 0:
		return nil
	case isConversation(v):
		return w.conversation(v)
	case items[0].Kind == jsonindex.Object:
		if w.body(v) {
			return nil
		}
	}
	for _, item := range items {
		if item.Kind == jsonindex.Array {
			return errors.New("expected a list of texts or messages, got a list of lists")
		}
		if err := w.read(item); err != nil {
			return fmt.Errorf("%s: %w", item.Path, err)
		}
	}
	return nil
}

// isConversation reports whether a list is one of messages.
func isConversation(list fieldpath.Value) bool {
	for _, item := range list.Items() {
		if item.Kind != jsonindex.Object {
			return false
		}
		if item.Member("role").Kind == jsonindex.String || item.Member("from").Kind == jsonindex.String {
			return true
		}
	}
	return false
}

// conversation adds the assistant's messages in a list.
func (w *worker) conversation(list fieldpath.Value) error {
	items := list.Items()
	var paths []string // the paths of the assistant's messages
	key := "messages"
	for _, item := range items {
		if item.Kind != jsonindex.Object {
			return fmt.Errorf("%s: expected a message, got %s", item.Path, item.Kind.Phrase())
		}
		switch {
		case item.Member("from").Kind == jsonindex.String:
			return w.shareGPT(items)
		case item.Member("parts").IsSet():
			key = "contents"
		}
		switch item.Member("type").Text() {
		case "function_call", "function_call_output", "message", "reasoning":
			key = "input"
		}
		switch item.Member("role").Text() {
		case "assistant", "model":
			paths = append(paths, item.Path)
		}
	}
	request := append(list.AppendJSON([]byte(`{"`+key+`":`)), '}')
	wire, err := format.Guess(request, format.KindRequest)
	if err != nil {
		return err
	}
	codec, err := all.CodecOf(wire)
	if err != nil {
		return err
	}
	decoded, err := codec.DecodeRequest(request)
	if err != nil {
		return err
	}
	n := len(w.sources)
	for i := range decoded.Messages {
		if decoded.Messages[i].Role == chat.Assistant {
			w.sources = append(w.sources, source{path: list.Path, wire: wire, message: &decoded.Messages[i]})
		}
	}
	if found := w.sources[n:]; len(found) == len(paths) { // otherwise some were joined
		for i := range found {
			found[i].path = paths[i]
		}
	}
	return nil
}

// shareGPT adds the model's turns in a conversation of texts.
func (w *worker) shareGPT(turns []fieldpath.Value) error {
	for i, turn := range turns {
		switch turn.Member("from").Text() {
		case "gpt", "assistant", "model", "chatgpt", "bot", "function_call":
			value := turn.Member("value")
			if value.Kind != jsonindex.String {
				return fmt.Errorf("turn %s: expected a text as \"value\", got %s", strconv.Itoa(i), value.Kind.Phrase())
			}
			w.text(value)
		}
	}
	return nil
}
