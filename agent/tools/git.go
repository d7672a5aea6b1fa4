package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/procgroup"
)

// gitTimeout limits one run of git.
const gitTimeout = time.Minute

// gitRepo runs git on the repository of a workspace in such a way that nothing in the
// repository can start a program.
type gitRepo struct {
	s      *Set
	env    []string
	merges bool // the repository has a merge program of its own
}

// runsPrograms matches settings with which a repository starts programs, apart from hooks
// and what flags disable.
var runsPrograms = regexp.MustCompile(`(?i)^(filter\..*\.(clean|smudge|process|required)|diff\..*\.(command|textconv)|merge\..*\.driver|core\.(pager|editor|askpass|sshcommand|gitproxy|fsmonitor|hookspath|alternaterefscommand)|gpg\..*program|sequence\.editor|interactive\.difffilter|credential\..*|trailer\..*\.(cmd|command)|hook\..*)$`)

// git opens the repository of the workspace. It overrides the repository's settings that
// start programs with empty ones, and keeps the user's.
func (s *Set) git(ctx context.Context) (*gitRepo, error) {
	if !s.installed("git") {
		return nil, missingProgram("git")
	}
	if _, err := s.root.Stat(".git"); err != nil {
		return nil, advise(agent.Failure(agent.NotFound, "the workspace is not the top folder of a git repository"),
			"Go on without git.")
	}
	g := &gitRepo{s: s}
	for _, variable := range withoutSecrets(os.Environ()) {
		name, _, _ := strings.Cut(variable, "=")
		if name = strings.ToUpper(name); !strings.HasPrefix(name, "GIT_") && name != "LANGUAGE" && name != "LC_ALL" {
			g.env = append(g.env, variable)
		}
	}
	g.env = append(g.env,
		"GIT_DIR="+s.Dir+string(os.PathSeparator)+".git", "GIT_WORK_TREE="+s.Dir, // so that no setting leads to another folder
		"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_EDITOR=:", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	settings, err := g.run(ctx, "", "config", "--list", "-z", "--show-scope", "--includes", "--name-only")
	if err != nil {
		return nil, err
	}
	override := [][2]string{
		{"core.hooksPath", os.DevNull}, {"core.fsmonitor", "false"}, {"gc.auto", "0"}, {"maintenance.auto", "false"}, {"commit.gpgSign", "false"},
		{"diff.ignoreSubmodules", "all"}, {"submodule.recurse", "false"}, {"log.showSignature", "false"}, {"core.quotePath", "false"}, {"merge.verifySignatures", "false"},
	}
	words := strings.Split(settings, "\x00") // scope, name, scope, name, ...
	for i := 0; i+1 < len(words); i += 2 {
		if name := words[i+1]; (words[i] == "local" || words[i] == "worktree") && runsPrograms.MatchString(name) {
			lower := strings.ToLower(name)
			g.merges = g.merges || strings.HasPrefix(lower, "merge.")
			switch {
			case lower == "core.hookspath" || lower == "core.fsmonitor":
			case strings.HasSuffix(lower, ".required"):
				override = append(override, [2]string{name, "false"})
			default:
				override = append(override, [2]string{name, ""})
			}
		}
	}
	g.env = append(g.env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(override)))
	for i, setting := range override {
		g.env = append(g.env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, setting[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, setting[1]))
	}
	return g, nil
}

// onGit returns a maker for a tool that reads the repository.
func onGit[In, Out any](run func(g *gitRepo, ctx context.Context, in In) (Out, error)) maker {
	return does(func(s *Set, ctx context.Context, in In) (out Out, err error) {
		g, err := s.git(ctx)
		if err != nil {
			return out, err
		}
		return run(g, ctx, in)
	})
}

// changesGit returns a maker for a tool that changes the repository or the files. Such
// tools run one at a time.
func changesGit[In any](run func(g *gitRepo, ctx context.Context, in In) (agent.Result, error)) maker {
	return onGit(func(g *gitRepo, ctx context.Context, in In) (agent.Result, error) {
		g.s.writing.Lock()
		defer g.s.writing.Unlock()
		return run(g, ctx, in)
	})
}

// change runs git, and reports which files have changed, even if git fails.
func (g *gitRepo) change(ctx context.Context, done string, args ...string) (agent.Result, error) {
	before := g.s.look(ctx)
	_, err := g.run(ctx, "", args...)
	result := agent.Result{Changes: before.changes(g.s.look(ctx))}
	if err == nil {
		result.Output = done
	}
	return result, err
}

// run runs git and returns what it prints.
func (g *gitRepo) run(ctx context.Context, input string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	name := args[0]
	program, args := g.s.confined(g.s.Dir, "git", append([]string{"--no-pager"}, args...))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = g.s.Dir, g.env, time.Second
	cmd.Stdin = strings.NewReader(input)
	out, stderr := &limited{limit: maxFile}, &limited{limit: 8 << 10}
	cmd.Stdout, cmd.Stderr = out, stderr
	err := procgroup.Run(cmd)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		text := strings.TrimSpace(stderr.b.String() + "\n" + lastBytes(out.b.String(), 2000))
		return out.b.String(), agent.Failure(agent.Execution, "git %s failed with exit code %d: %s", name, exit.ExitCode(), strings.ToValidUTF8(text, "\uFFFD"))
	}
	return out.b.String(), err
}

// limited keeps the beginning of an output.
type limited struct {
	limit int
	b     bytes.Buffer
}

func (w *limited) Write(p []byte) (int, error) {
	w.b.Write(p[:min(len(p), w.limit-w.b.Len())])
	return len(p), nil
}

// revision matches the name of a commit, a branch or a range. It never matches an option.
var revision = regexp.MustCompile(`^[\pL\pN_@][\pL\pN_./@{}~^+:-]*$`)

func checkRevision(name string) error {
	if revision.MatchString(name) && !strings.Contains(name, "@{-") {
		return nil
	}
	return agent.Failure(agent.Validation, "%q is not a commit or a branch", name)
}

// scope returns the last arguments of git for a call: a commit or a range, unless that is
// "", and paths.
func (g *gitRepo) scope(revision string, paths []string) ([]string, error) {
	if revision == "" {
		return g.paths(paths)
	}
	if err := checkRevision(revision); err != nil {
		return nil, err
	}
	args, err := g.paths(paths)
	return append([]string{revision}, args...), err
}

// paths returns paths in the workspace as the last arguments of git.
func (g *gitRepo) paths(list []string) ([]string, error) {
	args := []string{"--"}
	for _, name := range list {
		rel, err := g.s.inside(name)
		if err != nil {
			return nil, err
		}
		args = append(args, rel)
	}
	return args, nil
}
