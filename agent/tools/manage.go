package tools

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"

	"github.com/toolparse/toolparse/agent"
)

var manageTools = []*entry{
	{
		name: "delete_file", description: "Deletes a file of the workspace. If it is a link, it deletes only the link.", aliases: []string{"file.delete"},
		category: fileManage, from: minimal, risk: agent.High, paths: onPath, make: writes((*Set).deleteFile), shell: "rm FILE",
	},
	{
		name: "move_file", description: "Moves or renames a file or a folder of the workspace.", aliases: []string{"rename_file", "move"},
		category: fileManage, from: minimal, risk: agent.High, paths: fromTo, make: writes((*Set).moveFile), shell: "mv SOURCE DESTINATION",
	},
	{
		name: "copy_file", description: "Copies a file of the workspace.", aliases: []string{"copy"},
		category: fileManage, from: minimal, risk: agent.High, paths: fromTo, make: writes((*Set).copyFile), shell: "cp SOURCE DESTINATION",
	},
	{
		name: "chmod", description: "Sets the permissions of a file or folder of the workspace.",
		category: fileManage, from: full, risk: agent.High, paths: onPath, make: writes((*Set).chmod), shell: "chmod MODE FILE",
	},
}

// fromTo are the subjects of a tool with a source and a destination.
var fromTo = []string{"source", "destination"}

type pathIn struct {
	Path string `json:"path" jsonschema:"the file"`
}

// there returns what is at a path, without following a link at its end.
func (s *Set) there(name string) (rel string, stat fs.FileInfo, err error) {
	if rel, err = s.inside(name); err != nil {
		return "", nil, err
	}
	if stat, err = s.root.Lstat(rel); err != nil {
		return "", nil, s.explain(name, err)
	}
	return rel, stat, nil
}

func (s *Set) deleteFile(_ context.Context, in pathIn) (agent.Result, error) {
	rel, stat, err := s.there(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	if stat.IsDir() {
		return agent.Result{}, advise(agent.Failure(agent.Validation, "%s is a folder", in.Path),
			"Delete it with delete_directory, if that is what you mean.")
	}
	if err := s.root.Remove(rel); err != nil {
		return agent.Result{}, s.explain(in.Path, err)
	}
	return agent.Result{Output: "deleted " + in.Path, Changes: []agent.StateChange{changed("FileDeleted", rel)}}, nil
}

type fromToIn struct {
	Source      string `json:"source" jsonschema:"the existing path"`
	Destination string `json:"destination" jsonschema:"its new path, with its name"`
	Overwrite   bool   `json:"overwrite" jsonschema:"replace an existing file" default:"false"`
}

// pair checks the source and the destination of a move or copy, and makes the folders
// above the destination.
func (s *Set) pair(in fromToIn) (from string, to target, created []agent.StateChange, err error) {
	if from, _, err = s.there(in.Source); err != nil {
		return from, to, nil, err
	}
	if to, err = s.target(in.Destination); err != nil {
		return from, to, nil, err
	}
	switch {
	case from == "." || from == to.rel:
		return from, to, nil, agent.Failure(agent.Validation, "%s cannot be moved or copied to %s", in.Source, in.Destination)
	case to.before != nil && !in.Overwrite:
		return from, to, nil, advise(agent.Failure(agent.Validation, "%s already exists", in.Destination),
			"Choose another name, or set overwrite.")
	}
	created, err = s.makeFolders(in.Destination, path.Dir(to.rel))
	return from, to, created, err
}

func (s *Set) moveFile(_ context.Context, in fromToIn) (agent.Result, error) {
	from, to, created, err := s.pair(in)
	if err != nil {
		return agent.Result{Changes: created}, err
	}
	if err := s.root.Rename(from, to.rel); err != nil {
		return agent.Result{Changes: created}, s.explain(in.Source, err)
	}
	return agent.Result{
		Output:  fmt.Sprintf("moved %s to %s", in.Source, in.Destination),
		Changes: append(created, changed("FileDeleted", from), to.change()),
	}, nil
}

func (s *Set) copyFile(ctx context.Context, in fromToIn) (agent.Result, error) {
	f, stat, err := s.open(in.Source)
	if err != nil {
		return agent.Result{}, err
	}
	defer f.Close()
	if stat.Size() > maxCopied {
		return agent.Result{}, tooLarge(in.Source, stat.Size(), maxCopied)
	}
	_, to, created, err := s.pair(in)
	if err != nil {
		return agent.Result{Changes: created}, err
	}
	var size int64
	err = s.write(to, func(w io.Writer) error {
		size, err = io.Copy(w, io.LimitReader(&stoppable{ctx, f}, maxCopied))
		return err
	})
	if err != nil {
		return agent.Result{Changes: created}, err
	}
	result := agent.Result{Output: fmt.Sprintf("copied %d bytes from %s to %s", size, in.Source, in.Destination), Changes: append(created, to.change())}
	if to.before == nil && stat.Mode().Perm()&0o111 != 0 {
		err = s.root.Chmod(to.rel, stat.Mode().Perm())
	}
	return result, s.explain(in.Destination, err)
}

type chmodIn struct {
	Path string `json:"path" jsonschema:"the file or folder"`
	Mode string `json:"mode" jsonschema:"the permissions in octal, such as 755"`
}

func (s *Set) chmod(_ context.Context, in chmodIn) (agent.Result, error) {
	mode, err := strconv.ParseUint(in.Mode, 8, 32)
	if err != nil || mode > 0o777 {
		return agent.Result{}, agent.Failure(agent.Validation, "%q are not permissions: use octal digits up to 777", in.Mode)
	}
	rel, err := s.inside(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	if err := s.root.Chmod(rel, fs.FileMode(mode)); err != nil {
		return agent.Result{}, s.explain(in.Path, err)
	}
	return agent.Result{Output: fmt.Sprintf("%s has the permissions %03o", in.Path, mode), Changes: []agent.StateChange{changed("FileModified", rel)}}, nil
}

type makeDirIn struct {
	Path string `json:"path" jsonschema:"the folder"`
}

func (s *Set) makeDirectory(_ context.Context, in makeDirIn) (agent.Result, error) {
	rel, err := s.inside(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	created, err := s.makeFolders(in.Path, rel)
	result := agent.Result{Changes: created}
	switch {
	case err != nil:
	case len(created) == 0:
		result.Output = in.Path + " already exists"
	default:
		result.Output = "made " + in.Path
	}
	return result, err
}

type removeDirIn struct {
	Path      string `json:"path" jsonschema:"the folder"`
	Recursive bool   `json:"recursive" jsonschema:"delete everything in it" default:"false"`
}

func (s *Set) deleteDirectory(_ context.Context, in removeDirIn) (agent.Result, error) {
	rel, stat, err := s.there(in.Path)
	switch {
	case err != nil:
		return agent.Result{}, err
	case rel == ".":
		return agent.Result{}, agent.Failure(agent.Permission, "the workspace itself cannot be deleted")
	case !stat.IsDir():
		return agent.Result{}, agent.Failure(agent.Validation, "%s is not a folder", in.Path)
	case in.Recursive:
		err = s.root.RemoveAll(rel)
	default:
		err = s.root.Remove(rel)
	}
	if err != nil {
		if entries, _, reading := s.readDir(rel); reading == nil && len(entries) > 0 && !in.Recursive {
			return agent.Result{}, advise(agent.Failure(agent.Validation, "%s is not empty", in.Path),
				"Set recursive to delete everything in it, if that is what you mean.")
		}
		return agent.Result{}, s.explain(in.Path, err)
	}
	return agent.Result{Output: "deleted " + in.Path, Changes: []agent.StateChange{changed("FileDeleted", rel)}}, nil
}
