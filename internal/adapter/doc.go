// Package adapter turns segment events into tool invocations.
//
// An [Adapter] reads the events of package parser one at a time and returns each call
// when its segment ends. The invocation's id is the segment's id.
//
// The content of a tool_call segment is the arguments as JSON, and the invocation keeps
// these bytes. The content of another segment type is the decoded value of one
// parameter, which the segment's start names; its other arguments are in the metadata.
// Register a [Syntax] for a segment type whose tool has another name or needs other
// arguments than that.
//
// The adapter validates complete calls of declared tools against the tool's JSON
// Schema. ToolInvocation.Problems lists the violations, worded for the model, and
// [Explain] writes one message about everything that prevents a call from running.
// Incomplete, malformed and rejected calls are returned too, with their status and
// reason; they are never Runnable.
package adapter
