// Package otel tells OpenTelemetry what an agent does: spans and metrics by the semantic
// conventions for generative AI, which are in development.
//
//	telemetry, err := otel.New(otel.Options{Provider: "openai", Model: "gpt-5"})
//	for event, err := range telemetry.Run(ctx, a, session, agent.Say("What is here?")) {
//		...
//	}
//
// A run is a span invoke_agent, with a span chat for each answer and a span execute_tool for
// each call that ran. What is measured:
//
//	gen_ai.client.operation.duration             s        of an answer
//	gen_ai.client.operation.time_to_first_chunk  s
//	gen_ai.client.token.usage                    {token}  of an answer, by gen_ai.token.type
//	gen_ai.execute_tool.duration                 s        of a call that ran
//	gen_ai.invoke_agent.duration                 s        of a run
//	gen_ai.invoke_agent.inference_calls                   answers of a run
//	gen_ai.invoke_agent.tool_calls                        calls of a run that ran
//	toolparse.agent.calls                        {call}   calls by tool, outcome and error.type
//	toolparse.agent.retries                      {retry}  requests that were sent again
//	toolparse.agent.tool_coverage                1        see [Telemetry.Coverage]
//
// An error.type is the category of an error, such as TimeoutError, "cancelled", or "_OTHER".
// Calls of tools that there are not have the tool "_OTHER", since models make up names.
//
// The package is a module of its own, so that nobody else has its dependencies. It needs no
// exporter: it takes the providers of tracers and meters that a program has.
package otel
