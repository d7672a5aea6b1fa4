// Package tools holds the tools that the command line offers to a model, and the registry
// that they are in.
//
// [Workspace] opens a [Set] on a folder. [Set.Tools] returns the tools that are asked for:
// by name, by category, or as an environment (minimal, standard or full). To the built-in
// ones a program adds its own with [Set.Add], made with [agent.NewTool]:
//
//	set, err := tools.Workspace(".")
//	defer set.Close()
//	err = set.Add(weather)
//	list, err := set.Tools("standard", "get_weather")
//	a, err := agent.New(agent.Config{Provider: provider, Tools: list})
//
// [Set.Check] says which tools an environment lacks for a task, and what can stand in for
// them; [Set.Provision] returns those for the languages and the type of a task.
//
// # What holds
//
//   - No path of a file tool leaves the workspace, whatever links stand in it, and whoever
//     changes them meanwhile. A shell command can: bash is not confined unless
//     [Set.Sandbox] was called, and has the highest risk.
//   - What a command starts ends with it, and what spawn_process starts ends with the set.
//   - Nothing in a git repository runs a program, and no request reaches an address that
//     is not public, where [Web] does not say otherwise.
//   - A file is written whole or not at all.
//   - No tool waits for a FIFO or reads a device, and none returns more than its limits.
//   - What a tool changes is in the changes of its result.
//
// # More tools
//
// A built-in tool is a row of the table of its category: its names, its description, its
// risk, and a method of [Set] whose last parameter is a struct, which is the schema. Rows
// with [OnDemand] are other forms of a tool, for models that know them, and the programs of
// a language; nobody is offered them who does not ask.
package tools
