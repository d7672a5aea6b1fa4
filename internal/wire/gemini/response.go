package gemini

import (
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// response reads a whole answer. A blocked prompt becomes a choice without content,
// whose finish reason is the content filter.
func (r *reading) response(root rawjson.Value, res *wire.Response) {
	if only, ok := onlyItem(root); ok { // the form of errors for requests of a stream
		root = only
	}
	keep := r.Keeper()
	var indices []int
	blocked := ""
	r.Members(r.Object(root), "", &keep, "", "responseId", &res.ID, "modelVersion", &res.Model,
		inTime, func(v rawjson.Value) {
			var exact bool
			if res.Created, exact = wireio.ParseTime(r.Text(v, inTime)); !exact {
				keep.Keep(inTime, []byte(exactTime), v)
			}
		},
		"candidates", func(v rawjson.Value) {
			res.Choices, indices = nil, nil
			for item := range r.Array(v, "candidates").Items() {
				if item = r.Object(item, "candidates[]"); !item.IsSet() {
					continue
				}
				choice, index := r.candidate(item, len(indices))
				res.Choices, indices = append(res.Choices, choice), append(indices, index)
			}
		},
		inUsage, func(v rawjson.Value) {
			usage := r.Object(v, inUsage)
			res.Usage, _ = readUsage(&r.Reader, usage)
			keep.Rest(inUsage, usage, counted[:]...)
		},
		inFeedback, func(key []byte, v rawjson.Value) {
			reason := r.Object(v, inFeedback).Get("blockReason")
			blocked = r.Texts.Name(enumWord(&r.Reader, reason, blockWords, "promptFeedback.blockReason"))
			keep.Keep("", key, v)
		},
		"error", func(v rawjson.Value) { res.Error = r.Error(v, inError, &keep) })
	if !isAnswer(root) {
		r.Missing(root, "candidates")
	}
	res.Extras = keep.Extras
	wireio.SortByIndex(res.Choices, indices)
	for i, index := range indices {
		if index != i { // some indices are missing
			number := r.Extra("index", rawjson.Value{Kind: rawjson.Number, Raw: strconv.AppendInt(nil, int64(index), 10)})
			res.Choices[i].Extras = append(res.Choices[i].Extras, number...)
		}
	}
	if len(res.Choices) == 0 && blocked != "" && blocked != blockedNot {
		res.Choices = []wire.Choice{{
			Message: chat.Message{Role: chat.Assistant}, Extras: r.Spelled(inFeedback),
			Finish: chat.Finish{Reason: chat.FinishContentFilter, Word: blocked, Wire: Wire},
		}}
	}
}

// onlyItem returns the only element of an array. ok is false if it has several or none.
func onlyItem(v rawjson.Value) (only rawjson.Value, ok bool) {
	n := 0
	for item := range v.Items() {
		only = item
		n++
	}
	return only, n == 1
}

func (r *reading) candidate(v rawjson.Value, place int) (choice wire.Choice, index int) {
	index = place
	choice.Message.Role = chat.Assistant
	finish := func(v rawjson.Value) {
		if word := r.Texts.Name(enumWord(&r.Reader, v, finishWords, "candidates[].finishReason")); word != wordNone {
			choice.Finish = r.Finish(word)
		}
	}
	r.Members(v, "candidates[]", nil, "", "finishReason", finish) // needed for a call that continues
	choice.Extras = r.Others(v, "candidates[]", "finishReason", nil,
		"index", func(v rawjson.Value) {
			if n, ok := r.Index(v, "candidates[].index"); ok {
				index = n
			}
		},
		"content", func(v rawjson.Value) {
			r.calls = r.streamedCalls(r.Object(v, "candidates[].content"), choice.Finish)
			choice.Message = r.message(v, "candidates[].content")
			choice.Message.Role = chat.Assistant
		})
	choice.Finish = wire.WithCalls(choice.Finish, choice.Message.HasCalls())
	return choice, index
}

// response writes a whole answer.
func (w *writing) response(res *wire.Response) {
	w.answer, w.native = true, res.Wire == Wire
	w.Log.ReportExtras("", res.Extras)
	w.Object()
	if !isBlocked(res) && (len(res.Choices) > 0 || res.Error == nil) {
		w.KeyArray("candidates")
		body := w.Answer(res, true)
		for i, choice := range w.Restore(body) {
			w.candidate(choice, body.Choices[i], i, wire.IsCut(body.Choices[i].Finish.Reason) && !wire.IsCut(res.Choices[i].Finish.Reason))
		}
		w.EndArray()
	}
	if res.Error != nil {
		w.Key("error")
		w.failure(*res.Error, res.Extras, res.Wire == Wire, "error.code")
	}
	if res.Usage != (chat.Usage{}) || w.HasExtras(res.Extras, inUsage) {
		w.Key(inUsage)
		w.usage(res.Usage, res.Extras)
		w.Log.Usage(res.Meta)
	}
	w.Text("modelVersion", res.Model)
	w.Text("responseId", res.ID)
	w.time(res.Created, res.Extras.Get(Wire, inTime, exactTime))
	w.EndWith(res.Extras, "")
}

// isBlocked reports whether the only choice stands for a blocked prompt, which
// promptFeedback describes.
func isBlocked(res *wire.Response) bool {
	return len(res.Choices) == 1 && len(res.Choices[0].Message.Parts) == 0 && wire.UsesName(res.Choices[0].Extras, Wire, inFeedback) &&
		res.Extras.Get(Wire, "", inFeedback) != nil
}

// candidate writes a choice. as is the choice before its calls got ids, which the wire
// does not need. broken means that it lost a call with invalid arguments.
func (w *writing) candidate(choice, as wire.Choice, i int, broken bool) {
	field := wireio.At("choices", i)
	w.Log.ReportExtras(field, choice.Extras)
	clear(w.generated)
	w.generated.Add(as.Message.Parts, choice.Message.Parts)
	w.Object()
	w.Key("content")
	parts := w.fitAll(nil, choice.Message, field+".message", inModel)
	w.content("model", parts, choice.Message.Extras)
	word := wordMalformed
	if !broken {
		word = w.finishWord(field+".finish", wire.WithCalls(choice.Finish, choice.Message.HasCalls()))
	}
	w.Text("finishReason", word)
	if choice.Extras.Get(Wire, "", "index") == nil {
		w.KeyInt("index", int64(i))
	}
	w.EndWith(choice.Extras, "")
}

// The members of an extra that is a time with fractions of a second.
const (
	inTime    = "createTime"
	exactTime = "fraction"
)

// time writes the time of an answer; exact is nil if only the seconds are known.
func (w *writing) time(seconds int64, exact []byte) {
	switch {
	case len(exact) > 0:
		w.Member(inTime, exact)
	case seconds != 0:
		w.Text(inTime, wireio.FormatTime(seconds))
	}
}

const (
	wordStop      = "STOP"
	wordLength    = "MAX_TOKENS"
	wordFilter    = "SAFETY"
	wordOther     = "OTHER"
	wordMalformed = "MALFORMED_FUNCTION_CALL"
	wordNone      = "FINISH_REASON_UNSPECIFIED"
)

// finishWords are the vendor's reasons, in the order of their numbers; see enumWord.
var finishWords = []string{
	wordNone, wordStop, wordLength, wordFilter, "RECITATION", wordOther, "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII",
	wordMalformed, "IMAGE_SAFETY", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "IMAGE_PROHIBITED_CONTENT", "IMAGE_OTHER",
	"NO_IMAGE", "IMAGE_RECITATION",
}

// blockWords are the vendor's reasons to block a prompt, likewise.
var blockWords = []string{blockedNot, wordFilter, wordOther, "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"}

// enumWord returns the word of an enum's value. Clients that ask for enum-encoding=int, as
// Google's older Go client does, get the value's number instead, by which words are
// ordered. A number without a word is its digits.
func enumWord(r *wireio.Reader, v rawjson.Value, words []string, path ...string) rawjson.Value {
	if v.Kind != rawjson.Number {
		return r.String(v, path...)
	}
	v.Kind = rawjson.String
	if n, ok := v.Int(); ok && n >= 0 && n < len(words) {
		v.Raw = []byte(words[n])
	}
	return v
}

// isOwnWord reports whether a word is a reason that other wires have no word for.
func isOwnWord(word string) bool {
	switch word {
	case wordNone, wordStop:
		return false
	case "MODEL_ARMOR": // Vertex's
		return true
	}
	return slices.Contains(finishWords, word) || wire.ReadFinish(Wire, word).Reason == chat.FinishOther
}

// finishNames are the words for finish reasons.
var finishNames = features.FinishWords{
	chat.FinishStop: wordStop, chat.FinishToolCalls: wordStop, chat.FinishLength: wordLength, chat.FinishContentFilter: wordFilter,
	chat.FinishRefusal: wordFilter, chat.FinishPause: wordOther, chat.FinishError: wordOther, chat.FinishOther: wordOther,
}

// finishWord returns the wire's word for a reason; see features.FinishWords.
func (w *writing) finishWord(field string, f chat.Finish) string {
	switch {
	case f.Wire == Wire && isOwnWord(f.Word):
		return f.Word
	case f.Reason == chat.FinishOther && f.Word == "":
		return wordOther
	}
	return finishNames.Of(&w.Log, field, f)
}

const (
	inUsage = "usageMetadata"
	toolUse = "toolUsePromptTokenCount"
)

// counted are the members of usageMetadata that chat.Usage has.
var counted = [...]string{"promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"}

// readUsage reads usageMetadata, and reports whether it has other members. The tokens
// that the provider's own tools read count as input; here, thoughts are not part of the
// candidates' tokens.
func readUsage(r *wireio.Reader, v rawjson.Value) (u chat.Usage, others bool) {
	into := [...]*int{&u.Input, &u.CachedInput, &u.Output, &u.Reasoning, &u.Total}
	for key, member := range members(v) {
		if at := slices.Index(counted[:], string(key)); at >= 0 {
			*into[at] += r.Tokens(member, inUsage, ".", counted[at])
			continue
		}
		others = true
		if string(key) == toolUse {
			u.Input += r.Tokens(member, inUsage, ".", toolUse)
		}
	}
	u.Output += u.Reasoning
	return wire.WithTotal(u), others
}

// usage writes usage as an object.
func (w *writing) usage(u chat.Usage, x chat.Extras) {
	input := u.Input
	if raw := x.Get(Wire, inUsage, toolUse); raw != nil {
		if v, err := rawjson.Parse(string(raw)); err == nil {
			n, _ := v.Int()
			input -= n
		}
	}
	w.Object()
	w.Number("promptTokenCount", max(input, 0))
	w.Number("cachedContentTokenCount", u.CachedInput)
	w.Number("candidatesTokenCount", max(u.Output-u.Reasoning, 0))
	w.Number("thoughtsTokenCount", u.Reasoning)
	w.Number("totalTokenCount", wire.WithTotal(u).Total)
	w.EndWith(x, inUsage)
}
