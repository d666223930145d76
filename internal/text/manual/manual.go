// Package manual has the addresses of the pages that messages and written files name, because who reads those may have
// no checkout. The page docs/how-to/audit.md is at https://pillion.dev/docs/how-to/audit.
package manual

// The pages. A test checks that they exist, with their headings.
const (
	Audit          = "https://pillion.dev/docs/how-to/audit"
	Presets        = "https://pillion.dev/docs/how-to/presets"
	PresetsLeftOut = Presets + "#left-out-on-purpose"
	Test           = "https://pillion.dev/docs/how-to/test"
)
