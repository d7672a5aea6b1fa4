// Package agent lets a model work with tools until its task is done.
//
// An [Agent] is made once of a [Provider], which asks a model, of [Tool]s, and of a
// [Policy]. [Agent.Run] then goes round one loop, and its caller ranges over what happens:
//
//	a, err := agent.New(agent.Config{Provider: provider, Tools: tools, Policy: rules.Policy()})
//	session := agent.NewSession()
//	for event, err := range a.Run(ctx, session, agent.Say("What does this repository do?")) {
//		...
//	}
//
// # One turn
//
// The conversation goes to the provider, and the model's answer comes back as the segment
// events of package toolparse, whether the model called tools natively or wrote its calls
// as text. Each call goes to the [Executor], a state machine that never runs anything
// itself: it asks the policy, says which calls may start and which the user must be asked
// about, and holds the results in the order of the calls. When every call has its result,
// the answer and the results go into the session, and the next turn begins. A turn without
// calls ends the run, and so do a terminal tool, a limit, a cancelled context and an error;
// the last event, [RunEnd], says which it was.
//
// # What holds
//
//   - A turn is judged at its end, whatever the server calls it.
//   - Only a call that is complete, of a tool that is allowed, with arguments that fit
//     its schema, and that the policy allows, is run, and never twice. Of an answer that ran
//     into the limit of its length, by the server's word or by the count of its tokens, the
//     call that it ends with counts as cut off.
//   - Every call gets exactly one result: of its tool, or the reason why it was not run.
//     What goes to a provider always has a result for each call.
//   - A request is repeated only as long as nothing of its answer has come.
//   - A tool's panic, its timeout and too much output are results.
//
// # A session outlives its process
//
// A [Session] is a value: marshal it whenever an event comes, and another process goes on
// from there with [Agent.Run]. A call that had its result keeps it; a call that was running
// gets the result that it was interrupted, since nobody knows what it did. Where a call
// waits for a person, or for a client that runs it, the run ends with [RequiresAction], and
// goes on with [Input.Answers] or [Input.Results].
package agent
