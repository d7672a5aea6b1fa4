package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"

	"github.com/toolparse/toolparse/agent"
)

var writeTools = []*entry{
	{
		name: "write_file", description: "Writes a text file of the workspace. It replaces an existing file, unless mode says otherwise.",
		category: fileWrite, from: minimal, risk: agent.High, paths: onPath, make: writes((*Set).writeFile), preview: previewWrite, shell: "cat > FILE <<'END'",
	},
	{
		name: "append_file", description: "Adds text to the end of a file of the workspace, and creates the file if it does not exist.",
		category: fileWrite, from: standard, risk: agent.High, paths: onPath, make: writes((*Set).appendFile), shell: "cat >> FILE <<'END'",
	},
	{
		name: "create_file", description: "Writes a new text file. It fails if the file exists.", like: "write_file",
		category: fileWrite, from: onDemand, risk: agent.High, paths: onPath, make: writes((*Set).createFile),
	},
	{
		name: "file.write", description: "Writes a text file. It replaces an existing file only with overwrite.", like: "write_file",
		category: fileWrite, from: onDemand, risk: agent.High, paths: onPath, make: writes((*Set).fileWrite),
	},
}

// The modes of writing.
const (
	overwriteMode = "overwrite"
	appendMode    = "append"
	createMode    = "create"
)

type writeIn struct {
	Path    string `json:"path" jsonschema:"the file"`
	Content string `json:"content" jsonschema:"the whole content"`
	Folders bool   `json:"create_directories" jsonschema:"create missing parent folders" default:"true"`
	Mode    string `json:"mode" jsonschema:"overwrite replaces the content, append adds to its end, create fails if the file exists" default:"overwrite" enum:"overwrite,append,create"`
}

func (s *Set) writeFile(ctx context.Context, in writeIn) (agent.Result, error) {
	t, err := s.target(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	if in.Mode == createMode && t.before != nil {
		return agent.Result{}, advise(agent.Failure(agent.Validation, "%s already exists", in.Path),
			"Edit it, or write it with the mode overwrite.")
	}
	var result agent.Result
	if in.Folders {
		if result.Changes, err = s.makeFolders(in.Path, path.Dir(t.rel)); err != nil {
			return result, err
		}
	}
	if in.Mode == appendMode && t.before != nil {
		return s.addTo(ctx, t, in.Content)
	}
	change, err := s.writeText(t, in.Content)
	if err != nil {
		return result, err
	}
	result.Changes = append(result.Changes, change)
	result.Output = fmt.Sprintf("wrote %d bytes to %s", len(in.Content), in.Path)
	return result, nil
}

// previewWrite shows what a call of write_file would change.
func previewWrite(s *Set, ctx context.Context, arguments []byte) (string, error) {
	var in writeIn
	if err := json.Unmarshal(arguments, &in); err != nil {
		return "", err
	}
	t, err := s.target(in.Path)
	if err != nil {
		return "", err
	}
	var old []byte
	if t.before != nil {
		if old, err = s.readAll(ctx, t.rel); err != nil {
			return "", err
		}
	}
	if in.Mode == appendMode {
		in.Content = string(old) + in.Content
	}
	return diff(in.Path, string(old), in.Content), nil
}

// addTo appends text to a file. It writes the file anew, so that readers never see half
// of it, and a file outside with the same inode does not change.
func (s *Set) addTo(ctx context.Context, t target, text string) (agent.Result, error) {
	old, stat, err := s.open(t.rel)
	if err != nil {
		return agent.Result{}, err
	}
	defer old.Close()
	if stat.Size() > maxCopied {
		return agent.Result{}, tooLarge(t.name, stat.Size(), maxCopied)
	}
	var size int64
	err = s.write(t, func(w io.Writer) error {
		if size, err = io.Copy(w, io.LimitReader(&stoppable{ctx, old}, maxCopied)); err != nil {
			return err
		}
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{
		Output:  fmt.Sprintf("added %d bytes to %s, which now has %d", len(text), t.name, size+int64(len(text))),
		Changes: []agent.StateChange{t.change()},
	}, nil
}

type appendIn struct {
	Path    string `json:"path" jsonschema:"the file"`
	Content string `json:"content" jsonschema:"the text to add; begin it with a line feed if the file does not end with one"`
}

func (s *Set) appendFile(ctx context.Context, in appendIn) (agent.Result, error) {
	return s.writeFile(ctx, writeIn{Path: in.Path, Content: in.Content, Folders: true, Mode: appendMode})
}

type createIn struct {
	Path    string `json:"path" jsonschema:"the file"`
	Content string `json:"content,omitempty" jsonschema:"the whole content"`
}

func (s *Set) createFile(ctx context.Context, in createIn) (agent.Result, error) {
	return s.writeFile(ctx, writeIn{Path: in.Path, Content: in.Content, Folders: true, Mode: createMode})
}

type fileWriteIn struct {
	Path      string `json:"path" jsonschema:"the file"`
	Content   string `json:"content" jsonschema:"the whole content"`
	Overwrite bool   `json:"overwrite" jsonschema:"replace an existing file" default:"false"`
}

func (s *Set) fileWrite(ctx context.Context, in fileWriteIn) (agent.Result, error) {
	mode := createMode
	if in.Overwrite {
		mode = overwriteMode
	}
	return s.writeFile(ctx, writeIn{Path: in.Path, Content: in.Content, Folders: true, Mode: mode})
}
