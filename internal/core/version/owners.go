package version

import (
	"maps"

	"pillion.dev/pillion/internal/core/stamp"
)

// changed returns what owners did something to.
func changed(owners []stamp.Owner, counts func(stamp.Change) bool) map[stamp.Address]bool {
	all := map[stamp.Address]bool{}
	for _, o := range owners {
		for at, c := range o.Changes {
			if counts(c) {
				all[at] = true
			}
		}
	}
	return all
}

// added returns what owners put in.
func added(owners []stamp.Owner) map[stamp.Address]bool { return changed(owners, isAdded) }

// addedAnew returns what owners put in without replacing something of the app.
func addedAnew(owners []stamp.Owner) map[stamp.Address]bool {
	all := added(owners)
	for _, o := range owners {
		for at, c := range o.Changes {
			if c.Before != nil {
				delete(all, at)
			}
		}
	}
	return all
}

// without removes things from others.
func without(all, things map[stamp.Address]bool) map[stamp.Address]bool {
	maps.DeleteFunc(all, func(at stamp.Address, _ bool) bool { return things[at] })
	return all
}

func isAdded(c stamp.Change) bool { return c.Hash != "" }
