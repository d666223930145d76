package files

import (
	"cmp"
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
	why       Why     // why it is not read unless a kustomization lists it; after that, why it is not a manifest
	use       *Passed // by a kustomization that does not list it as a resource, or nil
	text      []byte
}

func (c *candidate) isLink() bool { return c.kind&fs.ModeSymlink != 0 }

func (c *candidate) path() string { return c.tree.path(c.name) }

// addCandidate adds a file, and what it lists if it is a kustomization.
func (r *reading) addCandidate(file *candidate) {
	if r.reader.Complete && file.why == "" && slices.Contains(Kustomizations(), path.Base(file.name)) {
		file.tree.readKustomization(file.name, file.isIgnored)
	}
	if file.isIgnored {
		r.ignored = append(r.ignored, file)
	} else {
		r.candidates = append(r.candidates, file)
	}
}

// readCandidates reads the files that were found, now that the resources of all kustomizations are known. Ignored ones
// come last, because a link to one of them may be its other name, which is not ignored.
func (r *reading) readCandidates() error {
	all := slices.Concat(r.candidates, r.ignored)
	r.isNamedOnce = len(r.trees) == 1 && len(r.trees[0].walked) == 1 && len(r.known)+len(r.listed) == 0 &&
		!slices.ContainsFunc(all, (*candidate).isLink)
	for _, file := range all {
		file.why = r.whyNot(file)
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(file *candidate) bool { return file.why != "" })
	if err := r.readTexts(chosen); err != nil {
		return err
	}
	r.found.Files = slices.Grow(r.found.Files, len(chosen))
	for _, file := range all {
		r.sort(file)
	}
	return nil
}

// ofNoInterest is the reason to skip a file without a word: it is read by another name, or it is a link that does not
// have the name of a manifest.
const ofNoInterest Why = "of no interest"

// whyNot returns why a file is not read, or "" if it is, and notes how kustomizations use it. It follows a symbolic link
// that stays in the tree.
func (r *reading) whyNot(file *candidate) Why {
	realPath := file.tree.location(file.name)
	isResource, isListed := r.resources[realPath]
	file.isIgnored = file.isIgnored && !isResource
	switch {
	case isListed || file.why == "":
	case file.why == LinkOut && !file.tree.leadsOut(file.name):
		return ofNoInterest
	default:
		return file.why
	}
	kind := file.kind
	if file.isLink() {
		info, err := file.tree.root.Stat(file.name)
		if err != nil {
			return LinkOut // or a link to nothing
		}
		kind = info.Mode()
		realPath = RealPath(file.path())
	}
	if !r.resources[realPath] {
		file.use = r.used[realPath]
	}
	switch {
	case kind.IsDir(): // behind a link: a directory in the tree is read by its own name
		return ofNoInterest
	case !kind.IsRegular():
		return NotRegular
	case !r.isNew(realPath):
		return ofNoInterest
	}
	return ""
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

// readTexts reads files on all cores: those of a directory together, because it takes as long to find the directory as
// to read a small file. It returns the error about the first one that cannot be read.
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
	errs := make([]error, len(together))
	parallel.Do(r.ctx, len(together), func(i int) { errs[i] = r.readTogether(together[i]) })
	return cmp.Or(r.ctx.Err(), cmp.Or(errs...))
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
	if err != nil {
		return unreadable(file.path(), err)
	}
	defer opened.Close()   //nolint:errcheck // it was only read
	if size > largeBytes { // it may count for the bounds of a run only until it is passed over
		r.readsLarge.Lock()
		defer r.readsLarge.Unlock()
	}
	if file.text, err = r.readBounded(file.path(), opened, size); err != nil {
		return err
	}
	file.why = r.reader.Take(path.Base(file.name), file.text)
	if file.why != "" && file.why != Template && file.why != ResourceList {
		r.bytes.Add(-int64(len(file.text)))
		file.text = nil
	}
	if file.isIgnored {
		file.why = Ignored
	}
	return nil
}

// sort adds a file that was found in a directory to the manifests or to the files that are passed over: those that are
// ignored, or that kustomizations use as patches and configs.
func (r *reading) sort(file *candidate) {
	passed := Passed{Path: file.path(), Why: file.why, Text: file.text}
	switch {
	case file.why == ofNoInterest:
		return
	case file.why != "":
	case file.use != nil:
		passed.Why = file.use.Why
		passed.By = file.use.By
	default:
		r.add(File{Path: passed.Path, Text: file.text})
		switch {
		case r.isListed(file):
			r.found.Resources[passed.Path] = true
		case r.isBelowKustomization(file):
			r.found.Unlisted[passed.Path] = true
		}
		return
	}
	r.passOver(passed)
}
