package v1alpha1

// Checks are what the pod must still be, or be besides, when the sidecar is in.
type Checks struct {
	// PodSecurity is the Pod Security Standard that an injection must not take from a pod:
	// restricted or baseline. A pod that never met it must keep the level that it had.
	PodSecurity PodSecurityLevel `json:"podSecurity,omitempty"`
	// RequireResources says what to make of an injected container without requests for cpu
	// and memory and a limit for memory.
	RequireResources CheckLevel `json:"requireResources,omitempty"`
	// RequireDigest says what to make of an injected image that is not pinned by a digest.
	RequireDigest CheckLevel `json:"requireDigest,omitempty"`
}

// PodSecurityLevel is a level of the Pod Security Standards.
// +enum
type PodSecurityLevel string

// The levels that can be asked for. The third, privileged, allows everything.
const (
	PodSecurityBaseline   PodSecurityLevel = "baseline"
	PodSecurityRestricted PodSecurityLevel = "restricted"
)

// CheckLevel says how much a check matters.
// +enum
type CheckLevel string

// The levels of a check: not asked, a warning, or an error.
const (
	CheckOff   CheckLevel = "Off"
	CheckWarn  CheckLevel = "Warn"
	CheckError CheckLevel = "Error"
)

// Default asks for nothing. An empty podSecurity stays empty: it is off.
func (c *Checks) Default() {
	setDefault(&c.RequireResources, CheckOff)
	setDefault(&c.RequireDigest, CheckOff)
}
