package check

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// What a Windows pod does not have, in the pod, in its security context and in those of its containers.
var (
	notInWindowsPod        = []string{"hostUsers", "hostPID", "hostIPC", "shareProcessNamespace", "resources"}
	notInWindowsPodContext = []string{
		"appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls", "runAsUser", "runAsGroup",
		"supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy",
	}
	notInWindowsContainer = []string{
		"appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged",
		"allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup",
	}
)

// operatingSystem checks that a pod that names its operating system has no fields of another one.
func (p *pod) operatingSystem() {
	switch node.Text(p.Spec(), "os", "name") {
	case "windows":
		whole := p.whole()
		p.notOn("Windows", whole, "", notInWindowsPod)
		p.notOn("Windows", whole, "securityContext", notInWindowsPodContext)
		for _, c := range p.containers {
			p.notOn("Windows", c, "securityContext", notInWindowsContainer)
		}
	case "linux":
		for _, c := range append(p.containers, p.whole()) {
			p.notOn("Linux", c, "securityContext", []string{"windowsOptions"})
		}
	}
}

func (p *pod) notOn(system string, c container, parent string, fields []string) {
	within, at := c.Node, ""
	if parent != "" {
		within, at = node.Get(c.Node, parent), parent+"."
	}
	for _, field := range fields {
		value := node.Get(within, field)
		isEmpty := field == "sysctls" && len(node.List(value)) == 0 || (field == "hostPID" || field == "hostIPC") && !node.IsTrue(within, field)
		if !node.IsNull(value) && !isEmpty {
			p.wrong(finding.InvalidPod, system+" "+c.name+" "+field, p.path(c, at+field),
				"%s has %s, which a pod with os.name %s does not have; take it out, or keep such pods out", c.shown(), at+field, system)
		}
	}
}

// hostProcesses checks that where one container runs as a process of a Windows host, all do, on the host's network.
func (p *pod) hostProcesses() {
	option := []string{"securityContext", "windowsOptions", "hostProcess"}
	all, some := true, false
	for _, c := range p.containers {
		is := node.IsTrue(c.Node, option...) || !set(c.Node, option...) && node.IsTrue(p.Spec(), option...)
		all, some = all && is, some || is
		if set(c.Node, option...) && set(p.Spec(), option...) && node.IsTrue(c.Node, option...) != node.IsTrue(p.Spec(), option...) {
			p.wrong(finding.InvalidPod, c.name+" hostProcess", p.path(c, "securityContext.windowsOptions.hostProcess"),
				"container %q has another hostProcess than the pod; make them equal", c.name)
		}
	}
	if some && !all {
		p.wrong(finding.InvalidPod, "hostProcess", p.At("spec"),
			"some containers of the pod have hostProcess and others have not, and all must; set it for all, or keep this pod out")
	}
	if some && !node.IsTrue(p.Spec(), "hostNetwork") {
		p.wrong(finding.InvalidPod, "hostProcess network", p.At("spec.hostNetwork"),
			"the pod has containers with hostProcess, which need hostNetwork; set that")
	}
}
