package injector

import (
	"strconv"
	"strings"
)

// supportsNative reports whether a cluster of this version has native sidecars by default, as since 1.29. A
// version that is empty or cannot be read counts as the newest.
func supportsNative(kubernetesVersion string) bool {
	major, minor, ok := parseVersion(kubernetesVersion)
	return !ok || major > 1 || major == 1 && minor >= 29
}

// Version returns the cluster's version, or 0, 0 if it is not known.
func (i *Injector) Version() (major, minor int) {
	major, minor, _ = parseVersion(i.Spec.KubernetesVersion)
	return major, minor
}

// parseVersion reads MAJOR.MINOR or MAJOR.MINOR.PATCH, with or without a leading v.
func parseVersion(text string) (major, minor int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, 0, false
	}
	numbers := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, 0, false
		}
		numbers[i] = int(n)
	}
	return numbers[0], numbers[1], true
}
