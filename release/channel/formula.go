package channel

// system is an operating system in the formula, by the name that Homebrew has for it.
type system struct {
	Name     string
	Archives []cpuArchive
}

// cpuArchive is the archive for a processor, by the name that Homebrew has for it.
type cpuArchive struct {
	CPU string
	Archive
}

// Systems returns the archives in the order and with the names of Homebrew, which runs on macOS and Linux.
func (r Release) Systems() ([]system, error) { //nolint:revive // only templates call it
	systems := []system{{Name: "macos"}, {Name: "linux"}}
	for i, goos := range []string{"darwin", "linux"} {
		for _, cpu := range []struct{ name, goarch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			archive, err := r.Archive(goos, cpu.goarch)
			if err != nil {
				return nil, err
			}
			systems[i].Archives = append(systems[i].Archives, cpuArchive{cpu.name, archive})
		}
	}
	return systems, nil
}
