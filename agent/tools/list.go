package tools

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/agent"
)

var directoryTools = []*entry{
	{
		name: "list_files", description: "Lists the files and folders of a folder of the workspace. Folders end in \"/\".",
		category: directory, from: minimal, traits: reads, paths: onPath, make: does((*Set).listFiles), shell: "ls FOLDER",
	},
	{
		name: "ls", description: "Lists a folder as a table, with types, sizes and times.", aliases: []string{"list_dir"}, like: "list_files",
		category: directory, from: onDemand, traits: reads, paths: onPath, make: does((*Set).ls), shell: "ls -l FOLDER",
	},
	{
		name: "tree", description: "Shows the files and folders below a folder as a tree.", like: "list_files",
		category: directory, from: onDemand, traits: reads, paths: onPath, make: does((*Set).tree), shell: "find FOLDER",
	},
	{
		name: "make_directory", description: "Creates a folder of the workspace, and missing parent folders.", aliases: []string{"mkdir", "create_directory"},
		category: directory, from: minimal, risk: agent.Medium, traits: repeatable, paths: onPath, make: writes((*Set).makeDirectory), shell: "mkdir -p FOLDER",
	},
	{
		name: "delete_directory", description: "Deletes a folder of the workspace.", aliases: []string{"rmdir"},
		category: directory, from: full, risk: agent.High, paths: onPath, make: writes((*Set).deleteDirectory), shell: "rmdir FOLDER",
	},
	{
		name: "get_working_directory", description: "Returns the absolute path of the workspace. Paths are relative to it.", aliases: []string{"pwd"},
		category: directory, from: minimal, traits: reads, make: does((*Set).workingDirectory), shell: "pwd",
	},
}

type noneIn struct{}

func (s *Set) workingDirectory(context.Context, noneIn) (string, error) { return s.Dir, nil }

type listIn struct {
	Path      string `json:"path" jsonschema:"the folder" default:"."`
	Recursive bool   `json:"recursive" jsonschema:"also list the content of its folders" default:"false"`
	Hidden    bool   `json:"include_hidden" jsonschema:"list names that begin with a dot" default:"false"`
	Pattern   string `json:"pattern,omitempty" jsonschema:"list only names that match this pattern, such as *.go or src/**/*.go"`
	MaxDepth  int    `json:"max_depth" jsonschema:"the number of levels to list, with recursive" default:"10" minimum:"1"`
	SortBy    string `json:"sort_by" jsonschema:"the order (ascending)" default:"name" enum:"name,size,modified"`
	Reverse   bool   `json:"reverse" jsonschema:"use descending order" default:"false"`
	Details   bool   `json:"details" jsonschema:"show types, sizes and times" default:"false"`
	Max       int    `json:"max_entries" jsonschema:"the maximum number of entries" default:"500" minimum:"1" maximum:"1000"`
}

// listed is an entry of a listing.
type listed struct {
	seen
	info fs.FileInfo
}

func (s *Set) listFiles(ctx context.Context, in listIn) (agent.Result, error) {
	list, partial, err := s.entriesOf(ctx, in)
	if err != nil {
		return agent.Result{}, err
	}
	var b strings.Builder
	files, folders, size := 0, 0, int64(0)
	for i, e := range list {
		if e.entry.IsDir() {
			folders++
		} else {
			files++
			size += e.info.Size()
		}
		if i < in.Max && b.Len() < maxShown {
			e.write(&b, in.Details)
		} else {
			partial = true
		}
	}
	if in.Details {
		fmt.Fprintf(&b, "%s, %s, %s\n", plural(files, "file"), plural(folders, "folder"), sized(size))
	}
	result := agent.Result{Output: b.String()}
	if partial {
		result.Output += fmt.Sprintf("[not all are shown, of at least %d: use a pattern, or a folder further down]\n", len(list))
		result.Metadata = map[string]any{"output_truncated": true}
	}
	return result, nil
}

// entriesOf collects and sorts the entries to list.
func (s *Set) entriesOf(ctx context.Context, in listIn) (list []listed, partial bool, err error) {
	pattern := glob(in.Pattern)
	if err := pattern.check("pattern"); err != nil {
		return nil, false, err
	}
	w := walker{s: s, hidden: in.Hidden, ignored: true, control: true, depth: 1}
	if in.Recursive {
		w.depth = in.MaxDepth
	}
	err = w.walk(ctx, in.Path, func(at seen) error {
		if pattern != "" && !pattern.match(at) {
			return nil
		}
		info, err := s.root.Lstat(at.rel)
		if err != nil {
			return nil // the file has gone
		}
		list = append(list, listed{at, info})
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(list, func(a, b listed) int {
		switch in.SortBy {
		case "size":
			return cmp.Compare(a.info.Size(), b.info.Size())
		case "modified":
			return a.info.ModTime().Compare(b.info.ModTime())
		}
		return 0 // the walk has sorted them by name
	})
	if in.Reverse {
		slices.Reverse(list)
	}
	return list, w.partial, nil
}

// write writes an entry as one line.
func (e *listed) write(b *strings.Builder, details bool) {
	name := e.below
	kind := "FILE"
	switch {
	case e.entry.IsDir():
		kind, name = "DIR", name+"/"
	case e.info.Mode()&fs.ModeSymlink != 0:
		kind = "LINK"
	}
	if details {
		size := "-"
		if kind == "FILE" {
			size = sized(e.info.Size())
		}
		fmt.Fprintf(b, "%-4s  %10s  %s  ", kind, size, e.info.ModTime().Format("2006-01-02 15:04:05"))
	}
	b.WriteString(printed(name) + "\n")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

type lsIn struct {
	Path    string `json:"path" jsonschema:"the folder" default:"."`
	Hidden  bool   `json:"show_hidden" jsonschema:"list names that begin with a dot" default:"false"`
	SortBy  string `json:"sort_by" jsonschema:"the order (ascending)" default:"name" enum:"name,size,modified"`
	Reverse bool   `json:"reverse" jsonschema:"use descending order" default:"false"`
	Max     int    `json:"max_entries" jsonschema:"the maximum number of entries" default:"500" minimum:"1" maximum:"1000"`
}

func (s *Set) ls(ctx context.Context, in lsIn) (agent.Result, error) {
	return s.listFiles(ctx, listIn{Path: in.Path, Hidden: in.Hidden, SortBy: in.SortBy, Reverse: in.Reverse, Max: in.Max, Details: true})
}

type treeIn struct {
	Path     string `json:"path" jsonschema:"the folder" default:"."`
	Hidden   bool   `json:"include_hidden" jsonschema:"show names that begin with a dot" default:"false"`
	MaxDepth int    `json:"max_depth" jsonschema:"the number of levels to show" default:"4" minimum:"1"`
}

func (s *Set) tree(ctx context.Context, in treeIn) (agent.Result, error) {
	list, partial, err := s.entriesOf(ctx, listIn{Path: in.Path, Recursive: true, Hidden: in.Hidden, MaxDepth: in.MaxDepth})
	if err != nil {
		return agent.Result{}, err
	}
	var b strings.Builder
	for i, e := range list {
		if i == 1000 || b.Len() > maxShown {
			partial = true
			break
		}
		e.below = path.Base(e.below)
		b.WriteString(strings.Repeat("  ", e.level-1))
		e.write(&b, false)
	}
	if partial {
		b.WriteString("[not all are shown]\n")
	}
	return agent.Result{Output: b.String()}, nil
}
