package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"pillion.dev/pillion/internal/work/parallel"
)

// candidate is a file of a tree that is read when the resources of all kustomizations are known.
type candidate struct {
	tree      *tree
	name      string
	kind      fs.FileMode // its type, or that of a link if a directory in its name may be one
	isIgnored bool
	unlisted  Why // why it is not read if no kustomization lists it; empty if it is read

	// A file that is not read and has no reason is of no interest.
	isRead   bool
	why      Why
	realPath string
	text     []byte
	err      error
}

func (c *candidate) isLink() bool { return c.kind&fs.ModeSymlink != 0 }

// addCandidate adds a file, and what it lists if it is a kustomization.
func (r *reading) addCandidate(file candidate) {
	if r.reader.Complete && file.unlisted == "" && slices.Contains(Kustomizations(), path.Base(file.name)) {
		file.tree.readKustomization(file.name, file.isIgnored)
	}
	if r.reader.OnlyKustomizations {
		return
	}
	if file.isIgnored {
		r.ignored = append(r.ignored, file)
		return
	}
	r.candidates = append(r.candidates, file)
}

// readCandidates reads the files that were found, now that the resources of all kustomizations are known. Ignored ones
// come last, because a link to one of them may be its other name, which is not ignored.
func (r *reading) readCandidates() error {
	all := slices.Concat(r.candidates, r.ignored)
	var chosen []*candidate
	for i := range all {
		if r.choose(&all[i]); all[i].isRead {
			chosen = append(chosen, &all[i])
		}
	}
	r.readTexts(chosen)
	for i := range all {
		if all[i].err != nil {
			return all[i].err
		}
		r.sort(&all[i])
	}
	return r.ctx.Err()
}

// choose decides whether a file is read, or why it is not. It follows a symbolic link that stays in the tree.
func (r *reading) choose(file *candidate) {
	t := file.tree
	file.realPath = t.location(file.name)
	isResource, isListed := r.resources[file.realPath]
	file.isIgnored = file.isIgnored && !isResource
	if file.unlisted != "" && !isListed {
		if file.unlisted != LinkOut || t.leadsOut(file.name) {
			file.why = file.unlisted
		}
		return
	}
	kind := file.kind
	if file.isLink() {
		info, err := t.root.Stat(file.name)
		if err != nil {
			file.why = LinkOut // or a link to nothing
			return
		}
		kind = info.Mode()
		file.realPath = RealPath(t.path(file.name))
	}
	switch {
	case kind.IsDir(): // behind a link: a directory in the tree is read by its own name
	case !kind.IsRegular():
		file.why = NotRegular
	default:
		file.isRead = r.isNew(file.realPath)
	}
}

// leadsOut reports whether a file is a symbolic link to a directory outside of the tree. Directories in the tree are
// read by their own names, and links to files without the name of a manifest are of no interest, like the files.
func (t *tree) leadsOut(name string) bool {
	if _, err := t.root.Stat(name); err == nil || !t.run.reader.Recursive {
		return false
	}
	info, err := os.Stat(t.path(name))
	return err == nil && info.IsDir()
}

// readTexts reads files on all cores until one cannot be read: those of a directory together, because it takes as long
// to find the directory as to read a small file.
func (r *reading) readTexts(all []*candidate) {
	var together [][]*candidate
	first := 0
	for i, file := range all {
		isLast := i+1 == len(all)
		if isLast || all[i+1].tree != file.tree || path.Dir(all[i+1].name) != path.Dir(file.name) {
			together = append(together, all[first:i+1])
			first = i + 1
		}
	}
	ctx, stop := context.WithCancel(r.ctx)
	defer stop()
	parallel.Do(ctx, len(together), func(i int) {
		if err := r.readTogether(together[i]); err != nil {
			together[i][0].err = err
			stop()
		}
	})
}

// readTogether reads files of the same directory until one cannot be read.
func (r *reading) readTogether(all []*candidate) error {
	dir := path.Dir(all[0].name)
	in, err := all[0].tree.root.OpenRoot(dir)
	if err != nil {
		return unreadable(all[0].tree.path(dir), err)
	}
	defer in.Close() //nolint:errcheck // it was only read
	for _, file := range all {
		if err := r.readText(file, in); err != nil {
			return err
		}
	}
	return nil
}

// readText reads the text of a file in an open directory. A link may lead out of that, and stays in the tree.
func (r *reading) readText(file *candidate, in *os.Root) error {
	name := path.Base(file.name)
	if file.isLink() {
		in = file.tree.root
		name = file.name
	}
	opened, err := openRegular(func(flag int) (*os.File, error) { return in.OpenFile(name, flag, 0) })
	if errors.Is(err, errNotRegular) { // it was one before
		file.isRead = false
		file.why = NotRegular
		return nil
	}
	if err != nil {
		return unreadable(file.tree.path(file.name), err)
	}
	defer opened.Close() //nolint:errcheck // it was only read
	if file.text, err = r.readBounded(file.tree.path(file.name), opened); err != nil {
		return err
	}
	file.why = r.reader.Take(path.Base(file.name), file.text)
	if file.why != "" && file.why != Template && file.why != ResourceList {
		r.bytes.Add(-int64(len(file.text)))
		file.text = nil
	}
	return nil
}

// sort adds a file that was found in a directory to the manifests or to the files that are passed over: those that are
// ignored, or that kustomizations use as patches and configs.
func (r *reading) sort(file *candidate) {
	passed := Passed{Path: file.tree.path(file.name), Why: file.why, Text: file.text}
	used, isUsed := r.used[file.realPath]
	switch {
	case !file.isRead && file.why == "":
		return
	case file.isRead && file.isIgnored:
		passed.Why = Ignored
	case file.why != "":
	case isUsed && !r.resources[file.realPath]:
		passed.Why = used.Why
		passed.By = used.By
	default:
		r.add(File{Path: passed.Path, Text: file.text})
		return
	}
	r.passOver(passed)
}
