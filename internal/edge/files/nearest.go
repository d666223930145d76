package files

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
)

// maxNeighbours bounds the names of a directory among which the one that was meant is searched.
const maxNeighbours = 10_000

// Missing returns the error for a path that the user named, and that does not exist.
func Missing(path string) error {
	return fmt.Errorf("there is no file or directory %s%s", path, DidYouMean(path))
}

// DidYouMean returns the end of a message about a path that does not exist: the path with the nearest name instead, or
// "" if none is near.
func DidYouMean(path string) string {
	if near := nearest(filepath.Clean(path)); near != "" && near != path {
		return "; did you mean " + near + "?"
	}
	return ""
}

// nearest returns a path with the nearest name in place of the first one that does not exist, or "". What follows is
// left out if it is not there either.
func nearest(path string) string {
	dir, name := filepath.Split(path)
	above := filepath.Clean(dir) // "." for none
	file, err := os.Open(above)
	if err != nil {
		if above == path {
			return ""
		}
		near := nearest(above)
		if whole := filepath.Join(near, name); near != "" && exists(whole) {
			return whole
		}
		return near
	}
	defer file.Close()                           //nolint:errcheck // it was only read
	names, _ := file.Readdirnames(maxNeighbours) // none of what is no directory
	slices.Sort(names)
	if near := nearestName(name, names); near != "" {
		return dir + near
	}
	return ""
}

// nearestName returns the nearest of names: one that is spelt like the name without its extension, or the only one that
// begins with that.
func nearestName(name string, names []string) string {
	word := stem(name)
	var stems, begun []string
	for _, other := range names {
		stems = append(stems, stem(other))
		if strings.HasPrefix(other, word) {
			begun = append(begun, other)
		}
	}
	near := spelling.Nearest(word, stems)
	switch {
	case near != "":
		same := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return stem(other) != near })
		return cmp.Or(spelling.Nearest(name, same), same[0])
	case len(begun) == 1:
		return begun[0]
	}
	return ""
}

// stem returns a name without its extension, unless there is nothing else.
func stem(name string) string {
	return cmp.Or(strings.TrimSuffix(name, filepath.Ext(name)), name)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
