package check

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// privileges checks that a container that may not escalate its privileges does not have them.
func (p *pod) privileges(c container) {
	if !node.IsFalse(c.Node, "securityContext", "allowPrivilegeEscalation") {
		return
	}
	has := ""
	if node.IsTrue(c.Node, "securityContext", "privileged") {
		has = "is privileged"
	}
	added := node.List(c.Node, "securityContext", "capabilities", "add")
	if slices.ContainsFunc(added, func(n *yaml.Node) bool { return node.Resolve(n).Value == "CAP_SYS_ADMIN" }) {
		has = "has the capability CAP_SYS_ADMIN"
	}
	if has != "" {
		p.wrong(finding.InvalidContainer, c.name+" escalation", p.path(c, "securityContext.allowPrivilegeEscalation"),
			"container %q %s, and allowPrivilegeEscalation is false; change one of them", c.name, has)
	}
}

// profiles are the two fields of a security context that choose a profile.
var profiles = []string{"seccompProfile", "appArmorProfile"}

func (p *pod) containerProfiles(c container) { p.profiles(c) }

func (p *pod) podProfiles() { p.profiles(p.whole()) }

// profiles checks that a profile names a file where it is one of the node's, and only there.
func (p *pod) profiles(c container) {
	for _, field := range profiles {
		profile := node.Get(c.Node, "securityContext", field)
		if node.IsNull(profile) {
			continue
		}
		local, named := node.Text(profile, "type") == "Localhost", node.Text(profile, "localhostProfile") != ""
		if local != named {
			p.wrong(finding.InvalidContainer, c.name+" "+field, p.path(c, "securityContext."+field),
				"the %s of %s must have a localhostProfile where its type is Localhost, and only there; correct one of them", field, c.shown())
		}
	}
}

// hostNamespaces checks which namespaces of the host a pod may share.
func (p *pod) hostNamespaces() {
	spec := p.Spec()
	if node.IsTrue(spec, "shareProcessNamespace") && node.IsTrue(spec, "hostPID") {
		p.wrong(finding.InvalidPod, "shareProcessNamespace", p.At("spec.shareProcessNamespace"),
			"the pod has shareProcessNamespace and hostPID, which exclude each other; take one out")
	}
	if !node.IsFalse(spec, "hostUsers") {
		return
	}
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		if node.IsTrue(spec, field) {
			p.wrong(finding.InvalidPod, "hostUsers "+field, p.At("spec."+field),
				"the pod has %s, and hostUsers is false, which exclude each other; take one out", field)
		}
	}
	for _, c := range p.containers {
		if len(node.List(c.Node, "volumeDevices")) > 0 {
			p.wrong(finding.InvalidPod, "hostUsers "+c.name, p.path(c, "volumeDevices"),
				"container %q has volume devices, and hostUsers is false, which exclude each other; take one out", c.name)
		}
	}
}

// procMounts checks that /proc is open only in pods with users of their own.
func (p *pod) procMounts() {
	for _, c := range p.containers {
		if node.Text(c.Node, "securityContext", "procMount") == "Unmasked" && !node.IsFalse(p.Spec(), "hostUsers") {
			p.wrong(finding.InvalidPod, c.name+" procMount", p.path(c, "securityContext.procMount"),
				"container %q has the procMount Unmasked, which needs a pod with hostUsers: false; set spec.podSpec.hostUsers, or remove it", c.name)
		}
	}
}

// sysctls checks that each is set once, and that none is the host's.
func (p *pod) sysctls() {
	var seen names
	for i, sysctl := range node.List(p.Spec(), "securityContext", "sysctls") {
		name := node.Text(sysctl, "name")
		at := p.At("spec.securityContext.sysctls[" + strconv.Itoa(i) + "].name")
		if _, again := seen.add(name); again {
			p.wrong(finding.InvalidPod, "sysctl "+name, at, "the pod sets the sysctl %q twice; remove one", name)
		}
		dotted := strings.ReplaceAll(name, "/", ".")
		for _, host := range []struct{ field, prefix string }{
			{"hostNetwork", "net."}, {"hostIPC", "kernel.shm"}, {"hostIPC", "kernel.msg"}, {"hostIPC", "kernel.sem"}, {"hostIPC", "fs.mqueue."},
		} {
			if strings.HasPrefix(dotted, host.prefix) && node.IsTrue(p.Spec(), host.field) {
				p.wrong(finding.InvalidPod, "host sysctl "+name, at,
					"the pod sets the sysctl %q, which is the host's in a pod with %s; take one out", name, host.field)
			}
		}
	}
}
