package v1alpha1

// Checks are requirements on the pod after the injection.
type Checks struct {
	// podSecurity is the Pod Security Standard that a pod must not lose by an injection:
	// restricted or baseline. A pod that did not comply with it must keep the level that it had.
	PodSecurity PodSecurityLevel `json:"podSecurity,omitempty"`
	// requireResources reports an injected container without requests for cpu and memory and a
	// limit for memory.
	RequireResources CheckLevel `json:"requireResources,omitempty"`
	// requireDigest reports an injected image that is not pinned by a digest.
	RequireDigest CheckLevel `json:"requireDigest,omitempty"`
}

// PodSecurityLevel is a level of the Pod Security Standards.
// +enum
type PodSecurityLevel string

// The levels to require. The third, privileged, allows everything.
const (
	PodSecurityBaseline   PodSecurityLevel = "baseline"
	PodSecurityRestricted PodSecurityLevel = "restricted"
)

// CheckLevel is the severity of what a check finds.
// +enum
type CheckLevel string

// The levels of a check: off, a warning, or an error.
const (
	CheckOff   CheckLevel = "Off"
	CheckWarn  CheckLevel = "Warn"
	CheckError CheckLevel = "Error"
)

// Default turns the checks off. An empty podSecurity stays empty, which is off.
func (c *Checks) Default() {
	setDefault(&c.RequireResources, CheckOff)
	setDefault(&c.RequireDigest, CheckOff)
}
