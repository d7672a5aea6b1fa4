// Package tools holds the built-in tools and their registry.
//
// [Workspace] opens a [Set] for a folder. [Set.Tools] returns tools by name, by category,
// or as an environment (minimal, standard or full). A program adds its own tools, made
// with [agent.NewTool], with [Set.Add]:
//
//	set, err := tools.Workspace(".")
//	defer set.Close()
//	err = set.Add(weather)
//	list, err := set.Tools("standard", "get_weather")
//	a, err := agent.New(agent.Config{Provider: provider, Tools: list})
//
// [Set.Check] returns the tools that an environment lacks for a task, and their
// replacements.
//
// # Guarantees
//
//   - No path of a file tool leaves the workspace, whatever links it contains, even if they
//     change at the same time. Shell commands can leave it, unless [Set.Sandbox] was called;
//     bash therefore has the highest risk.
//   - The processes of a command end with it, and those of spawn_process with the set. All
//     of them end with this program, even if it is killed.
//   - Nothing in a git repository can start a program.
//   - Requests reach only public addresses, unless [Web] says otherwise.
//   - Files are written atomically.
//   - No tool waits for a FIFO, reads a device, or returns more than its limits.
//   - A tool's result lists what it changed.
//
// # More tools
//
// A built-in tool is a row in the table of its category: its names, its description, its
// risk, and a method of [Set] whose last parameter is a struct, from which its schema is
// inferred. Tools on demand are offered only by name: variants for models that know
// them, and programs of one language.
package tools
