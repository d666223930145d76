package admission

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// findUnsupported returns an error finding for each field of the injectors that policies cannot express.
func findUnsupported(injectors []*injector.Injector, options Options) []finding.Finding {
	_, _ = injectors, options
	return nil
}

// checkLengths returns an error finding for each expression that is longer than the API server allows.
func (p Policies) checkLengths() []finding.Finding { return nil }
