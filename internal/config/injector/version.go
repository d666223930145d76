package injector

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
)

// The minor versions of Kubernetes 1 that have native sidecars, restart policies and rules of single containers, and
// rules that restart all containers, by default.
const (
	firstNative       = 29
	firstRestartRules = 35
	firstRestartAll   = 36
)

// isAtLeast reports whether a cluster is of a minor version of Kubernetes 1, or newer. A version that is empty or
// cannot be read counts as the newest.
func isAtLeast(kubernetesVersion string, wanted int) bool {
	major, minor, ok := parseVersion(kubernetesVersion)
	return !ok || major > 1 || major == 1 && minor >= wanted
}

// isNewerThanTypes reports whether a cluster is newer than the types of pods that are known here, so that it may have
// other fields.
func isNewerThanTypes(kubernetesVersion string) bool {
	_, _, ok := parseVersion(kubernetesVersion)
	return ok && isAtLeast(kubernetesVersion, pod.Last+1)
}

// parseVersion reads MAJOR.MINOR or MAJOR.MINOR.PATCH, with or without a leading v.
func parseVersion(text string) (major, minor int, ok bool) {
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
