package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"pillion.dev/pillion/internal/config/injector"
)

// Options are the choices of the user who exports.
type Options struct {
	// Minor is the minor version of Kubernetes 1 that the policies are for.
	Minor int
	// Mutate and Validate choose the policies.
	Mutate, Validate bool
	// Actions are the validationActions of the binding: Deny, Warn, Audit.
	Actions []string
	// FailurePolicy is Fail or Ignore.
	FailurePolicy string
	// Digest identifies the config. It is a label of the policies.
	Digest string
}

// DefaultActions report pods and refuse none, because an injector may select pods that do not fit it.
var DefaultActions = []string{"Warn", "Audit"}

// Minor returns the minor version of Kubernetes 1 that policies are for if nobody says which: the lowest of the
// injectors'.
func Minor(injectors []*injector.Injector) int {
	const newest = 36
	lowest := newest
	isKnown := false
	for _, in := range injectors {
		if major, minor := in.Version(); major == 1 && (!isKnown || minor < lowest) {
			lowest = minor
			isKnown = true
		}
	}
	return lowest
}

// Digest identifies the texts of configs.
func Digest(configs ...[]byte) string {
	const digits = 16
	hash := sha256.New()
	for _, text := range configs {
		fmt.Fprintf(hash, "%d\n%s", len(text), text)
	}
	return hex.EncodeToString(hash.Sum(nil))[:digits]
}
