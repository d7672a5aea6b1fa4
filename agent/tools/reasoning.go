package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/agent"
)

var thoughtTools = []*entry{
	{
		name: "think", description: "Records a thought. It changes nothing; use it to reason before a step that is hard to undo.", category: reasoning,
		from: standard, traits: reads, make: does((*Set).think),
	},
	{
		name: "reflect", description: "Records what was learnt from the steps so far.", category: reasoning, like: "think",
		from: onDemand, traits: reads, make: does((*Set).think),
	},
	{
		name: "summarize", description: "Records a summary of the steps so far.", category: reasoning, like: "think",
		from: onDemand, traits: reads, make: does((*Set).think),
	},
	{
		name: "plan", description: "Records the steps that lead to the goal. A later plan replaces it.", category: reasoning,
		from: standard, traits: repeatable, make: does((*Set).plan),
	},
	{
		name: "add_task", description: "Adds a task to the list of tasks, and returns its id.", category: reasoning,
		from: standard, make: does((*Set).addTask),
	},
	{
		name: "list_tasks", description: "Lists the tasks with their ids and status.", category: reasoning,
		from: standard, traits: reads, make: does((*Set).listTasks),
	},
	{
		name: "update_task", description: "Sets the status of a task.", category: reasoning,
		from: standard, traits: repeatable, make: does((*Set).updateTask),
	},
}

// Names of the session data that these tools share.
const (
	tasksKey = "tasks"
	planKey  = "plan"
)

// maxTasks and maxTask limit the number of tasks and the bytes of a task, because the
// session carries them all.
const (
	maxTasks = 200
	maxTask  = 4 << 10
)

type thinkIn struct {
	Thought string `json:"thought" jsonschema:"the thought"`
}

func (s *Set) think(context.Context, thinkIn) (string, error) {
	return "noted", nil // the call itself is the record
}

type planIn struct {
	Goal  string   `json:"goal,omitempty" jsonschema:"the goal"`
	Steps []string `json:"steps" jsonschema:"the steps, in order"`
}

func (s *Set) plan(_ context.Context, in planIn) (agent.Result, error) {
	if len(in.Steps) == 0 || len(in.Steps) > maxTasks {
		return agent.Result{}, agent.Failure(agent.Validation, "a plan has from 1 to %d steps, not %d", maxTasks, len(in.Steps))
	}
	var b strings.Builder
	for i, step := range in.Steps {
		if len(step) > maxTask {
			return agent.Result{}, agent.Failure(agent.Validation, "step %d has %d bytes, more than %d", i+1, len(step), maxTask)
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, step)
	}
	return keeping(agent.Result{Output: b.String()}, planKey, in)
}

// todo is a task on the list of a session.
type todo struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Content string `json:"content"`
}

// todos returns the tasks of the call's session.
func todos(ctx context.Context) ([]todo, error) {
	list := []todo{}
	if stored := agent.CallFrom(ctx).Data[tasksKey]; stored != nil {
		if err := json.Unmarshal(stored, &list); err != nil {
			return nil, agent.Failure(agent.Resource, "the tasks in the session cannot be read: %w", err)
		}
	}
	return list, nil
}

// keeping adds session data to a result.
func keeping(result agent.Result, name string, value any) (agent.Result, error) {
	text, err := json.Marshal(value)
	result.Data = map[string]json.RawMessage{name: text}
	return result, err
}

type addTaskIn struct {
	Content string `json:"content" jsonschema:"the task"`
}

func (s *Set) addTask(ctx context.Context, in addTaskIn) (agent.Result, error) {
	list, err := todos(ctx)
	switch {
	case err != nil:
		return agent.Result{}, err
	case strings.TrimSpace(in.Content) == "" || len(in.Content) > maxTask:
		return agent.Result{}, agent.Failure(agent.Validation, "the content of a task has from 1 to %d bytes", maxTask)
	case len(list) >= maxTasks:
		return agent.Result{}, advise(agent.Failure(agent.Resource, "there are already %d tasks", len(list)),
			"Work on those, or put what is left into one of them.")
	}
	t := todo{fmt.Sprintf("task_%d", len(list)+1), "pending", in.Content} // no task is ever removed
	return keeping(agent.Result{Output: t.ID}, tasksKey, append(list, t))
}

func (s *Set) listTasks(ctx context.Context, _ noneIn) ([]todo, error) { return todos(ctx) }

type updateTaskIn struct {
	TaskID string `json:"task_id" jsonschema:"the id that add_task returned"`
	Status string `json:"status" jsonschema:"the new status" enum:"pending,in_progress,completed"`
}

func (s *Set) updateTask(ctx context.Context, in updateTaskIn) (agent.Result, error) {
	list, err := todos(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	i := slices.IndexFunc(list, func(t todo) bool { return t.ID == in.TaskID })
	if i < 0 {
		return agent.Result{}, advise(agent.Failure(agent.NotFound, "there is no task %q", in.TaskID),
			"List the tasks to see their ids.")
	}
	list[i].Status = in.Status
	return keeping(agent.Result{Output: in.TaskID + " is " + in.Status}, tasksKey, list)
}
