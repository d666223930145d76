package files

import (
	"bytes"
	"encoding/binary"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// gitIndex has what git tracks in a repository. A nil index is not known, and tracks everything.
type gitIndex struct {
	root string // of the repository, with slashes and one at the end
	// tracked are the files, and the directories above them, in lower case, because file systems may not distinguish
	// cases.
	tracked map[string]bool
}

// tracks reports whether git tracks a file, or anything in a directory, by its absolute path.
func (i *gitIndex) tracks(name string) bool {
	if i == nil {
		return true
	}
	inside, isInside := strings.CutPrefix(name, i.root)
	return !isInside || i.tracked[strings.ToLower(inside)]
}

// readGitIndex reads the index of the repository in a directory. It returns nil if there is none, or if it has a form
// other than that of most repositories: version 2 or 3, complete, with hashes of 20 bytes.
func readGitIndex(root string) *gitIndex {
	const maxIndex = 128 << 20
	text, err := readRegular(os.OpenFile, filepath.Join(gitDirectory(root), "index"), maxIndex)
	if err != nil {
		return nil
	}
	index := &gitIndex{root: strings.TrimSuffix(filepath.ToSlash(root), "/") + "/", tracked: map[string]bool{}}
	if !index.add(text) {
		return nil
	}
	return index
}

// add adds the files of an index, and reports whether all of it could be read. The format is in git's gitformat-index.
func (i *gitIndex) add(text []byte) bool {
	const (
		header     = 12 // signature, version, number of entries
		hash       = 20
		flags      = 60 // before them, an entry has times, mode, owner, size and hash
		isExtended = 0x4000
	)
	if len(text) < header+hash || string(text[:4]) != "DIRC" {
		return false
	}
	version := binary.BigEndian.Uint32(text[4:])
	entries := binary.BigEndian.Uint32(text[8:])
	rest := text[header : len(text)-hash]
	if version != 2 && version != 3 {
		return false
	}
	for range entries {
		name := flags + 2
		if len(rest) > name && binary.BigEndian.Uint16(rest[flags:])&isExtended != 0 {
			name += 2
		}
		length := bytes.IndexByte(rest[min(name, len(rest)):], 0)
		padded := (name + length + 8) &^ 7
		if length <= 0 || length > maxPathBytes || padded > len(rest) {
			return false
		}
		for at := string(bytes.ToLower(rest[name : name+length])); at != "." && !i.tracked[at]; at = path.Dir(at) {
			i.tracked[at] = true
		}
		rest = rest[padded:]
	}
	for len(rest) > 0 { // extensions: those that begin with a lower-case letter change the meaning of the entries
		if len(rest) < 8 || rest[0] < 'A' || rest[0] > 'Z' {
			return false
		}
		end := 8 + int64(binary.BigEndian.Uint32(rest[4:]))
		if end > int64(len(rest)) {
			return false
		}
		rest = rest[end:]
	}
	return true
}
