package distro

import (
	"bytes"
	"crypto/md5" // dpkg compares installed files with it; it protects nothing
	"fmt"
	"strings"

	"pillion.dev/pillion/release/archive"
)

// Deb returns the package for dpkg: an ar archive of a format version, the metadata and the files, see deb(5).
func (p Package) Deb() ([]byte, error) {
	control, err := archive.TarGz([]archive.File{
		{Name: "control", Content: p.control()},
		{Name: "md5sums", Content: p.md5sums()},
	}, "./", p.Modified)
	if err != nil {
		return nil, err
	}
	data, err := archive.TarGz(p.Files, "./", p.Modified)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	p.addMember(out, "debian-binary", []byte("2.0\n"))
	p.addMember(out, "control.tar.gz", control)
	p.addMember(out, "data.tar.gz", data)
	return out.Bytes(), nil
}

// addMember adds a member to an ar archive. It begins at an even offset.
func (p Package) addMember(out *bytes.Buffer, name string, content []byte) {
	fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, p.Modified.Unix(), 0, 0, "100644", len(content))
	out.Write(content)
	if len(content)%2 != 0 {
		out.WriteByte('\n')
	}
}

// control returns the metadata. Its fields are those of deb-control(5).
func (p Package) control() []byte {
	size := 0
	for _, file := range p.Files {
		size += (len(file.Content) + 1023) / 1024
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "Package: %s\nVersion: %s\nArchitecture: %s\n", p.Name, p.plainVersion(), p.Arch) // Debian and Go agree on names
	fmt.Fprintf(&out, "Maintainer: %s\nInstalled-Size: %d\nSection: admin\nPriority: optional\n", p.Maintainer, size)
	fmt.Fprintf(&out, "Homepage: %s\nDescription: %s\n", p.Homepage, p.Summary)
	for line := range strings.Lines(p.Description) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			line = "."
		}
		fmt.Fprintf(&out, " %s\n", line)
	}
	return out.Bytes()
}

func (p Package) md5sums() []byte {
	var out bytes.Buffer
	for _, file := range archive.Sorted(p.Files) {
		fmt.Fprintf(&out, "%x  %s\n", md5.Sum(file.Content), file.Name)
	}
	return out.Bytes()
}
