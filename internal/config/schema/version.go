package schema

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
)

// The minor versions of Kubernetes 1 that have native sidecars, restart policies and rules of single containers, and
// rules that restart all containers, by default.
const (
	FirstNative       = 29
	FirstRestartRules = 35
	FirstRestartAll   = 36
)

// IsAtLeast reports whether a cluster is of a minor version of Kubernetes 1, or newer. A version that is empty or
// cannot be read counts as the newest.
func IsAtLeast(kubernetesVersion string, wanted int) bool {
	major, minor, ok := ParseVersion(kubernetesVersion)
	return !ok || major > 1 || major == 1 && minor >= wanted
}

// IsNewerThanTypes reports whether a cluster is newer than the types of pods that are known here, so that it may have
// other fields.
func IsNewerThanTypes(kubernetesVersion string) bool {
	_, _, ok := ParseVersion(kubernetesVersion)
	return ok && IsAtLeast(kubernetesVersion, pod.Last+1)
}

// ParseVersion reads MAJOR.MINOR or MAJOR.MINOR.PATCH, with or without a leading v.
func ParseVersion(text string) (major, minor int, ok bool) {
	var numbers []int
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "v"), ".") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, 0, false
		}
		numbers = append(numbers, int(n))
	}
	if len(numbers) != 2 && len(numbers) != 3 {
		return 0, 0, false
	}
	return numbers[0], numbers[1], true
}
