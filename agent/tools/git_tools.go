package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/printable"
)

var gitTools = []*entry{
	{
		name: "git_status", description: "Shows the branch, and which files are changed, staged or untracked.",
		category: git, from: standard, traits: reads, program: "git", make: onGit((*gitRepo).status), shell: "git status --short --branch",
	},
	{
		name: "git_diff", description: "Shows the changes in the files: unstaged ones, staged ones, or those since a commit.",
		category: git, from: standard, risk: agent.Medium, traits: reads, program: "git", make: onGit((*gitRepo).diff), shell: "git diff",
	},
	{
		name: "git_log", description: "Lists commits, the newest first.",
		category: git, from: standard, traits: reads, program: "git", make: onGit((*gitRepo).log), shell: "git log",
	},
	{
		name: "git_add", description: "Stages files for the next commit.",
		category: git, from: full, risk: agent.Medium, traits: repeatable, program: "git", make: onGit((*gitRepo).add), shell: "git add FILE",
	},
	{
		name: "git_commit", description: "Commits what is staged, or the given files. No hooks run.", aliases: []string{"git.commit"},
		category: git, from: standard, risk: agent.Medium, traits: approval, program: "git", make: changesGit((*gitRepo).commit), shell: "git commit -m MESSAGE",
	},
	{
		name: "git_branch", description: "Lists the branches, or creates one.",
		category: git, from: full, risk: agent.Medium, traits: repeatable, program: "git", make: onGit((*gitRepo).branch), shell: "git branch",
	},
	{
		name: "git_checkout", description: "Switches to a branch or a commit. It fails if changes would be lost.",
		category: git, from: full, risk: agent.High, traits: approval, program: "git", make: changesGit((*gitRepo).checkout), shell: "git checkout BRANCH",
	},
	{
		name: "git_merge", description: "Merges a branch or commit into the current branch. If they conflict, nothing changes.",
		category: git, from: full, risk: agent.High, traits: approval, program: "git", make: changesGit((*gitRepo).merge), shell: "git merge BRANCH",
	},
	{
		name: "git_stash", description: "Stashes the changes of the workspace, including untracked files, or restores the last stash.",
		category: git, from: full, risk: agent.High, traits: approval, program: "git", make: changesGit((*gitRepo).stash), shell: "git stash --include-untracked",
	},
}

// maxGitFiles limits the files of a status.
const maxGitFiles = 500

type fileStatus struct {
	Path   string `json:"path"`
	From   string `json:"from,omitempty"` // the name before a rename or copy
	Change string `json:"change"`
}

type repoStatus struct {
	Branch    string       `json:"branch,omitempty"`
	Commit    string       `json:"commit,omitempty"`
	Upstream  string       `json:"upstream,omitempty"`
	Ahead     int          `json:"ahead,omitempty"`
	Behind    int          `json:"behind,omitempty"`
	Clean     bool         `json:"clean"`
	Staged    []fileStatus `json:"staged,omitempty"`
	Changed   []fileStatus `json:"changed,omitempty"`
	Conflicts []string     `json:"conflicts,omitempty"`
	Untracked []string     `json:"untracked,omitempty"`
	More      int          `json:"more,omitempty"` // files that are not listed
}

func (g *gitRepo) status(ctx context.Context, _ noneIn) (status repoStatus, err error) {
	text, err := g.run(ctx, "", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all")
	if err != nil {
		return status, err
	}
	return readStatus(text), nil
}

var changeNames = map[byte]string{'M': "modified", 'T': "type changed", 'A': "added", 'D': "deleted", 'R': "renamed", 'C': "copied"}

// readStatus parses the output of git status --porcelain=v2 -z.
func readStatus(text string) repoStatus {
	out := repoStatus{Clean: true}
	lines := strings.Split(text, "\x00")
	files := 0
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if rest, ok := strings.CutPrefix(line, "# branch."); ok {
			key, value, _ := strings.Cut(rest, " ")
			switch key {
			case "oid":
				if out.Commit = value; value == "(initial)" {
					out.Commit = ""
				}
			case "head":
				out.Branch = value
			case "upstream":
				out.Upstream = value
			case "ab":
				_, _ = fmt.Sscanf(value, "+%d -%d", &out.Ahead, &out.Behind)
			}
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		out.Clean = false
		before := map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1}[line[0]] // number of fields before the path
		fields := strings.SplitN(line, " ", before+1)
		from := ""
		if line[0] == '2' && i+1 < len(lines) {
			i++
			from = lines[i]
		}
		if before == 0 || len(fields) <= before {
			continue
		}
		if files++; files > maxGitFiles {
			out.More++
			continue
		}
		switch path := fields[before]; line[0] {
		case '?':
			out.Untracked = append(out.Untracked, path)
		case 'u':
			out.Conflicts = append(out.Conflicts, path)
		default:
			if name := changeNames[fields[1][0]]; name != "" {
				out.Staged = append(out.Staged, fileStatus{path, from, name})
			}
			if name := changeNames[fields[1][1]]; name != "" {
				out.Changed = append(out.Changed, fileStatus{path, "", name})
			}
		}
	}
	return out
}

type gitDiffIn struct {
	Paths   []string `json:"paths,omitempty" jsonschema:"only these files and folders"`
	Staged  bool     `json:"staged" jsonschema:"show staged changes instead of unstaged ones" default:"false"`
	Commit  string   `json:"commit,omitempty" jsonschema:"compare with this commit or branch, or the two ends of a range such as main..topic"`
	Context int      `json:"context_lines" jsonschema:"the number of lines around each change" default:"3" minimum:"0" maximum:"50"`
}

func (g *gitRepo) diff(ctx context.Context, in gitDiffIn) (agent.Result, error) {
	scope, err := g.scope(in.Commit, in.Paths)
	if err != nil {
		return agent.Result{}, err
	}
	args := []string{"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}
	if in.Staged {
		args = append(args, "--cached")
	}
	text, err := g.run(ctx, "", slices.Concat(args, []string{"--unified=" + strconv.Itoa(in.Context)}, scope)...)
	if err != nil {
		return agent.Result{}, err
	}
	counts, err := g.run(ctx, "", slices.Concat(args, []string{"--numstat", "-z", "--no-renames"}, scope)...)
	if err != nil {
		return agent.Result{}, err
	}
	type file struct {
		Path    string `json:"path"`
		Added   int    `json:"added"`
		Deleted int    `json:"deleted"`
	}
	files := []file{}
	for line := range strings.SplitSeq(counts, "\x00") {
		if fields := strings.SplitN(line, "\t", 3); len(fields) == 3 && len(files) < maxGitFiles {
			added, _ := strconv.Atoi(fields[0]) // "-" for a binary file
			deleted, _ := strconv.Atoi(fields[1])
			files = append(files, file{fields[2], added, deleted})
		}
	}
	if len(text) > maxOutput {
		text = strings.ToValidUTF8(text[:maxOutput], "") + "\n[the rest is left out; name paths to see less]\n"
	}
	if text == "" {
		text = "no changes"
	}
	return agent.Result{Output: strings.ToValidUTF8(text, "\uFFFD"), Metadata: map[string]any{"files": files}}, nil
}

type gitLogIn struct {
	Paths  []string `json:"paths,omitempty" jsonschema:"only commits that change these files and folders"`
	Commit string   `json:"commit,omitempty" jsonschema:"where to begin, or a range such as main..topic"`
	Max    int      `json:"max_count" jsonschema:"the maximum number of commits" default:"20" minimum:"1" maximum:"200"`
}

type commit struct {
	Commit  string `json:"commit"`
	Author  string `json:"author"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
	Body    string `json:"body,omitempty"`
}

func (g *gitRepo) log(ctx context.Context, in gitLogIn) ([]commit, error) {
	scope, err := g.scope(in.Commit, in.Paths)
	if err != nil {
		return nil, err
	}
	args := []string{"log", "-z", "--no-color", "--no-show-signature", "--format=%H%x1f%an <%ae>%x1f%aI%x1f%s%x1f%b", "--max-count=" + strconv.Itoa(in.Max)}
	text, err := g.run(ctx, "", append(args, scope...)...)
	if err != nil {
		return nil, err
	}
	list := []commit{}
	for line := range strings.SplitSeq(text, "\x00") {
		if f := strings.SplitN(line, "\x1f", 5); len(f) == 5 {
			list = append(list, commit{f[0], f[1], f[2], f[3], printable.Short(strings.TrimSpace(f[4]), maxTask)})
		}
	}
	return list, nil
}

type gitAddIn struct {
	Paths []string `json:"paths" jsonschema:"the files and folders, including deleted ones"`
}

func (g *gitRepo) add(ctx context.Context, in gitAddIn) (agent.Result, error) {
	if len(in.Paths) == 0 {
		return agent.Result{}, agent.Failure(agent.Validation, "there are no paths")
	}
	paths, err := g.paths(in.Paths)
	if err == nil {
		_, err = g.run(ctx, "", append([]string{"add", "--all"}, paths...)...)
	}
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Output: "staged " + strings.Join(in.Paths, ", ")}, nil
}

type gitCommitIn struct {
	Message string   `json:"message" jsonschema:"the commit message: a summary line, then a blank line and the reasons"`
	Paths   []string `json:"paths,omitempty" jsonschema:"files and folders to stage first"`
}

func (g *gitRepo) commit(ctx context.Context, in gitCommitIn) (agent.Result, error) {
	if strings.TrimSpace(in.Message) == "" {
		return agent.Result{}, agent.Failure(agent.Validation, "a commit needs a message")
	}
	if len(in.Paths) > 0 {
		if result, err := g.add(ctx, gitAddIn{in.Paths}); err != nil {
			return result, err
		}
	}
	output, err := g.run(ctx, in.Message, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=strip", "--no-status", "--file=-")
	if err != nil {
		e := agent.Categorize(err)
		switch {
		case strings.Contains(e.Message, "ident"):
			e.Category, e.Action = agent.Resource, "Say that git has to know the user: git config user.name and user.email."
		case strings.Contains(e.Message, "nothing to commit"), strings.Contains(e.Message, "no changes added"), strings.Contains(e.Message, "nothing added"):
			e.Message, e.Action = "nothing is staged", "Name the paths to commit, if there are changes."
		}
		return agent.Result{Output: output}, e
	}
	text, err := g.run(ctx, "", "log", "-1", "--no-show-signature", "--format=%H %s", "--")
	if err != nil {
		return agent.Result{}, err
	}
	hash, subject, _ := strings.Cut(strings.TrimSpace(text), " ")
	return agent.Result{
		Output: fmt.Sprintf("committed %.12s %s", hash, subject), Metadata: map[string]any{"commit": hash},
		Changes: []agent.StateChange{changed("FileModified", ".git")},
	}, nil
}

type gitBranchIn struct {
	Name string `json:"name,omitempty" jsonschema:"the branch to create; without it, list the branches"`
}

func (g *gitRepo) branch(ctx context.Context, in gitBranchIn) (agent.Result, error) {
	if in.Name == "" {
		text, err := g.run(ctx, "", "branch", "--list", "--no-color")
		return agent.Result{Output: text}, err
	}
	if err := checkRevision(in.Name); err != nil {
		return agent.Result{}, err
	}
	if _, err := g.run(ctx, "", "branch", "--no-track", in.Name); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Output: "made the branch " + in.Name, Changes: []agent.StateChange{changed("FileModified", ".git")}}, nil
}

type gitCheckoutIn struct {
	Name   string `json:"name" jsonschema:"the branch or commit"`
	Create bool   `json:"create" jsonschema:"create the branch" default:"false"`
}

func (g *gitRepo) checkout(ctx context.Context, in gitCheckoutIn) (agent.Result, error) {
	if err := checkRevision(in.Name); err != nil {
		return agent.Result{}, err
	}
	args := []string{"checkout", "--quiet", "--no-recurse-submodules", "--no-guess"}
	if in.Create {
		args = append(args, "-b")
	}
	return g.change(ctx, "switched to "+in.Name, append(args, in.Name, "--")...)
}

type gitMergeIn struct {
	Name    string `json:"name" jsonschema:"the branch or commit"`
	Message string `json:"message,omitempty" jsonschema:"the message of the merge commit"`
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
	return advise(agent.Failure(agent.Permission, "the repository uses its own merge program, which does not run here"),
		"Say that a person has to merge.")
}

type gitStashIn struct {
	Pop     bool   `json:"pop" jsonschema:"restore the last stash" default:"false"`
	Message string `json:"message,omitempty" jsonschema:"a description of the new stash"`
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
