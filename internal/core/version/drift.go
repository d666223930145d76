package version

import (
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Drift is something that an injector put in and that a person has changed since.
type Drift struct {
	Owner string // the key of the stamp
	stamp.Address
	Present *node.Node // what is there now, or nil if it was removed
	// Lost is whether it is a container of the app that is no longer there, nor is what was put into it.
	Lost bool
	// Foreign is whether it is a container that is not the one that was injected, as far as can be told. It was not
	// removed, because the stamp may have been copied from another workload.
	Foreign bool
}
