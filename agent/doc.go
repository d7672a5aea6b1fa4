// Package agent lets a model work with tools until its task is done.
//
// [Do] is all that a simple task needs:
//
//	answer, err := agent.Do(ctx, agent.Config{Provider: provider, Tools: tools}, "What does this repository do?")
//
// An [Agent] consists of a [Provider], which sends requests to a model, [Tool]s, and a
// [Policy]. [Agent.Run] runs the loop, and its caller ranges over the events, answers
// requests for permission, and can keep the session:
//
//	a, err := agent.New(agent.Config{Provider: provider, Tools: tools, Policy: rules.Policy()})
//	session := agent.NewSession()
//	for event, err := range a.Run(ctx, session, agent.Say("What does this repository do?")) {
//		...
//	}
//
// # One turn
//
// The agent sends the conversation to the provider. The model's answer comes back as the
// segment events of package toolparse, whether the model called tools natively or wrote
// its calls as text. The agent hands each call to the executor, a state machine that
// runs nothing itself: it asks the policy, says which calls may start and which need the
// user's permission, and keeps the results in the order of the calls. When every call has
// its result, the answer and the results become part of the session, and the next turn
// begins.
//
// The run ends with a turn without calls, a terminal tool, a limit, a cancelled context
// or an error. The last event, [RunEnd], says which.
//
// # Guarantees
//
//   - The end of the turn decides what the turn was, not the finish reason of the server.
//   - A call runs at most once, and only if it is complete, its tool is allowed, its
//     arguments fit the schema, and the policy allows it. If the answer reached its token
//     limit, by the finish reason or by the count of tokens, its last call is not complete.
//   - Every call gets exactly one result: the tool's, or the reason why the call did not run.
//     Requests to a provider always contain a result for each call.
//   - A request is repeated only while no part of its answer has come.
//   - A tool's panic, timeout or excess output becomes a result.
//
// # Sessions outlive the process
//
// A [Session] is a value: marshal it at any event, and another process continues it with
// [Agent.Run]. Calls with a result keep it. A call that was running gets the result
// "interrupted", because nobody knows what it did. If a call waits for a person, or for a
// client that runs it, the run ends with [RequiresAction], and continues with
// [Input.Answers] or [Input.Results].
package agent
