package tools

import (
	"context"

	"github.com/toolparse/toolparse/agent"
)

type gitMergeIn struct {
	Name    string `json:"name" jsonschema:"the branch or commit"`
	Message string `json:"message,omitempty" jsonschema:"what the merge says"`
}

func (g *gitRepo) merge(ctx context.Context, in gitMergeIn) (agent.Result, error) {
	if err := checkRevision(in.Name); err != nil {
		return agent.Result{}, err
	}
	if err := g.mayMerge(); err != nil {
		return agent.Result{}, err
	}
	args := []string{"merge", "--quiet", "--no-edit", "--no-verify", "--no-gpg-sign", "--no-verify-signatures", "--no-stat", "--no-autostash"}
	if in.Message != "" {
		args = append(args, "--message="+in.Message)
	}
	result, err := g.change(ctx, "merged "+in.Name, append(args, in.Name)...)
	if err == nil {
		return result, nil
	}
	if _, bad := g.run(ctx, "", "rev-parse", "--verify", "--quiet", "MERGE_HEAD"); bad != nil {
		return agent.Result{}, err
	}
	if _, bad := g.run(ctx, "", "merge", "--abort"); bad != nil {
		return result, bad
	}
	e := agent.Categorize(err)
	e.Action = "Nothing has changed. Make the same change by hand, or say that the branches are in conflict."
	return agent.Result{}, e
}

// mayMerge returns an error if the repository has a merge program of its own, because
// without that program the result would differ.
func (g *gitRepo) mayMerge() error {
	if !g.merges {
		return nil
	}
	e := agent.Failure(agent.Permission, "the repository uses its own merge program, which does not run here")
	e.Action = "Say that a person has to merge."
	return e
}

type gitStashIn struct {
	Pop     bool   `json:"pop" jsonschema:"whether the last ones are taken back" default:"false"`
	Message string `json:"message,omitempty" jsonschema:"what they are, where they are put aside"`
}

func (g *gitRepo) stash(ctx context.Context, in gitStashIn) (agent.Result, error) {
	g.env = append(g.env, "GIT_LITERAL_PATHSPECS=0") // stash names the top folder by a pattern, and gets no paths
	args, output := []string{"stash", "push", "--quiet", "--include-untracked"}, "put the changes aside"
	if in.Message != "" {
		args = append(args, "--message="+in.Message)
	}
	if in.Pop {
		if err := g.mayMerge(); err != nil {
			return agent.Result{}, err
		}
		args, output = []string{"stash", "pop", "--quiet"}, "took the changes back"
	}
	return g.change(ctx, output, args...)
}
