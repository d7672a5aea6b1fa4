package tools

import (
	"slices"
	"strings"
	"unicode"
)

// task is what a model should do, as far as it determines the tools.
type task struct {
	words []string // of its description
	kinds []string // the languages and types of work in it, such as "rust" and "devops"
}

// need is what tasks of one kind need. Words match by their beginning: "commit" also
// matches "commits".
type need struct {
	words    string
	category string
	tools    []string
}

var needs = []need{
	{"fix write edit change implement refactor add create update rename replace improve correct port migrate document", fileWrite, []string{"write_file", "edit_file"}},
	{"delete remove move rename copy permission chmod clean", fileManage, []string{"delete_file", "move_file", "copy_file"}},
	{"directory directories folder tree layout structure", directory, []string{"list_files", "mkdir"}},
	{"find search grep where locate usage reference occurrence explore look explain", search, []string{"search", "find"}},
	{"git commit branch merge rebase stash history diff blame repository pull", git, []string{"git_status", "git_diff", "git_log", "git_commit"}},
	{"test tests failing coverage regression", testing, []string{"run_tests"}},
	{"lint typecheck format syntax style", validation, []string{"syntax_check"}},
	{"process server daemon background spawn signal port", processCategory, []string{"spawn", "kill", "wait"}},
	{"download fetch http https url api web website rest endpoint", network, []string{"http_get"}},
	{"run execute command script shell bash build compile install make", execution, []string{"bash"}},
	{"plan think design decide reason", reasoning, []string{"think", "plan"}},
}

// always is what every task needs: to read, and to end.
var always = []need{
	{"", fileRead, []string{"read_file"}},
	{"", directory, []string{"list_files"}},
	{"", control, []string{"submit"}},
}

// kindWords maps the kinds of tasks to words for them, besides their names.
var kindWords = map[string]string{
	"go": "golang", "rust": "cargo clippy rustfmt crate", "python": "pip pytest mypy django flask",
	"javascript":      "typescript node npm jest eslint prettier react",
	"web_development": "web website browser html css frontend page",
	"data_science":    "data jupyter notebook plot chart pandas dataset",
	"devops":          "docker container kubernetes kubectl deploy deployment cluster",
}

// readTask returns the task that a text describes.
func readTask(text string) task {
	t := task{words: wordsOf(text)}
	for kind, of := range kindWords {
		if anyWord(t.words, of, false) || slices.Contains(t.words, kind) {
			t.kinds = append(t.kinds, kind)
		}
	}
	return t
}

// requirements returns what a task needs according to its words. A task without any needs a
// complete environment.
func (t task) requirements() []Requirement {
	if len(t.words) == 0 {
		return completeRequirements()
	}
	var out []Requirement
	add := func(category string, names ...string) {
		i := slices.IndexFunc(out, func(r Requirement) bool { return r.Category == category })
		if i < 0 {
			i = len(out)
			out = append(out, Requirement{Category: category})
		}
		for _, name := range names {
			if !slices.Contains(out[i].Tools, name) {
				out[i].Tools = append(out[i].Tools, name)
			}
		}
	}
	for _, n := range always {
		add(n.category, n.tools...)
	}
	for _, n := range needs {
		if anyWord(t.words, n.words, true) || slices.Contains(t.words, n.category) {
			add(n.category, n.tools...)
		}
	}
	for _, e := range table() {
		if slices.Contains(t.kinds, e.task) {
			add(e.category, e.name)
		}
	}
	slices.SortStableFunc(out, func(a, b Requirement) int {
		return slices.Index(categories, a.Category) - slices.Index(categories, b.Category)
	})
	return out
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// anyWord reports whether one of the words is on the list or, with inflected, begins with
// a word on it.
func anyWord(words []string, list string, inflected bool) bool {
	for of := range strings.FieldsSeq(list) {
		for _, word := range words {
			if word == of || inflected && len(of) > 3 && strings.HasPrefix(word, of) && len(word) <= len(of)+4 {
				return true
			}
		}
	}
	return false
}
