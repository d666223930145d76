package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	isRead    bool
	why       Why // why it is not read if no kustomization lists it, or at all; empty if it is read or of no interest
	text      []byte
}

func (c *candidate) isLink() bool { return c.kind&fs.ModeSymlink != 0 }

func (c *candidate) realPath() string {
	if c.isLink() {
		return RealPath(c.tree.path(c.name))
	}
	return c.tree.location(c.name)
}

// addCandidate adds a file, and what it lists if it is a kustomization.
func (r *reading) addCandidate(file *candidate) {
	if r.reader.Complete && file.why == "" && slices.Contains(Kustomizations(), path.Base(file.name)) {
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
	isNamedOnce := len(r.trees) == 1 && len(r.known)+len(r.listed) == 0 && !slices.ContainsFunc(all, (*candidate).isLink)
	for _, file := range all {
		r.choose(file, isNamedOnce)
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(file *candidate) bool { return !file.isRead })
	if err := r.readTexts(chosen); err != nil {
		return err
	}
	r.found.Files = slices.Grow(r.found.Files, len(chosen))
	for _, file := range all {
		r.sort(file)
	}
	return nil
}

// choose decides whether a file is read, or why it is not. It follows a symbolic link that stays in the tree.
// IsNamedOnce is whether no file can have several names, so that they need not be remembered.
func (r *reading) choose(file *candidate, isNamedOnce bool) {
	t := file.tree
	location := t.location(file.name)
	isResource, isListed := r.resources[location]
	file.isIgnored = file.isIgnored && !isResource
	if file.why != "" && !isListed {
		if file.why == LinkOut && !t.leadsOut(file.name) {
			file.why = ""
		}
		return
	}
	file.why = ""
	kind := file.kind
	if file.isLink() {
		info, err := t.root.Stat(file.name)
		if err != nil {
			file.why = LinkOut // or a link to nothing
			return
		}
		kind = info.Mode()
	}
	switch {
	case kind.IsDir(): // behind a link: a directory in the tree is read by its own name
	case !kind.IsRegular():
		file.why = NotRegular
	case isNamedOnce:
		file.isRead = !r.reader.Except[location]
	default:
		file.isRead = r.isNew(file.realPath())
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
// to find the directory as to read a small file. It returns the error about the first one.
func (r *reading) readTexts(all []*candidate) error {
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
	errs := make([]error, len(together))
	parallel.Do(ctx, len(together), func(i int) {
		if errs[i] = r.readTogether(together[i]); errs[i] != nil {
			stop()
		}
	})
	return cmp.Or(cmp.Or(errs...), r.ctx.Err())
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
	opened, size, err := openRegular(in.OpenFile, name)
	if errors.Is(err, errNotRegular) { // it was one before
		file.isRead = false
		file.why = NotRegular
		return nil
	}
	if err != nil {
		return unreadable(file.tree.path(file.name), err)
	}
	defer opened.Close() //nolint:errcheck // it was only read
	if file.text, err = r.readBounded(opened, size); err != nil {
		return fmt.Errorf("%s: %w", file.tree.path(file.name), err)
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
	realPath := ""
	if len(r.used) > 0 {
		realPath = file.realPath()
	}
	used, isUsed := r.used[realPath]
	switch {
	case !file.isRead && file.why == "":
		return
	case file.isRead && file.isIgnored:
		passed.Why = Ignored
	case file.why != "":
	case isUsed && !r.resources[realPath]:
		passed.Why = used.Why
		passed.By = used.By
	default:
		r.add(File{Path: passed.Path, Text: file.text})
		return
	}
	r.passOver(passed)
}
