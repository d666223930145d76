package apply_test

import (
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// onlyApp is a pod template that no injector has changed.
type onlyApp struct{ *node.Node }

func (o onlyApp) App() *stamp.View                  { return stamp.NewView(o.Node) }
func (onlyApp) IsOthers(stamp.Address) bool         { return false }
func (onlyApp) IsOtherRuns(stamp.Address) bool      { return false }
func (onlyApp) IsOfRun(stamp.Address) bool          { return false }
func (onlyApp) IsNamed(string) bool                 { return false }
func (onlyApp) Joined(stamp.Address) []stamp.Joined { return nil }
func (onlyApp) IsGrown(stamp.Address) bool          { return false }
func (onlyApp) Names() string                       { return "" }
func (onlyApp) IsUnstamped(string) bool             { return false }

var _ apply.Owners = onlyApp{}
