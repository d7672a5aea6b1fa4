// Package adapter turns segment events into tool invocations.
//
// An [Adapter] takes the events of package parser one at a time and hands out
// each call when its segment ends; [Invocations] does so for an iterator. The
// invocation's id is the segment's id.
//
// Segments of type tool_call carry their arguments as JSON, which the
// invocation then has byte for byte. Segments of other types carry the decoded
// content of one parameter, which their start names, and the other arguments in
// their metadata. A [Syntax] is for a tool that has another name than the
// segment says, or other arguments.
//
// Complete calls of declared tools are held against the tool's JSON Schema.
// What does not fit is in ToolInvocation.Problems, worded for the model;
// [Explain] makes one message of everything that keeps a call from running.
// Calls that were cut short, broken or refused surface too, with their status
// and reason, and never are Runnable.
package adapter
