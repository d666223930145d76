package apirules

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// Fields that a Windows pod cannot have: in its spec, in its security context and in those of its containers.
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

// operatingSystem reports fields that a pod cannot have on the operating system that it names.
func (p *checkedPod) operatingSystem() {
	switch node.Text(p.Spec(), "os", "name") {
	case "windows":
		p.notOn("Windows", p.whole(), p.Spec(), "", notInWindowsPod)
		p.notOn("Windows", p.whole(), node.Get(p.Spec(), "securityContext"), "securityContext.", notInWindowsPodContext)
		for _, c := range p.containers {
			p.notOn("Windows", c, node.Get(c.Node, "securityContext"), "securityContext.", notInWindowsContainer)
		}
	case "linux":
		for _, c := range append(p.containers, p.whole()) {
			p.notOn("Linux", c, node.Get(c.Node, "securityContext"), "securityContext.", []string{"windowsOptions"})
		}
	}
}

func (p *checkedPod) notOn(system string, c container, parent *yaml.Node, prefix string, fields []string) {
	for _, field := range fields {
		value := node.Get(parent, field)
		isEmpty := field == "sysctls" && len(node.List(value)) == 0 || (field == "hostPID" || field == "hostIPC") && !node.IsTrue(value)
		if !node.IsNull(value) && !isEmpty {
			p.report(c, finding.InvalidPod, system+" "+field, prefix+field,
				"has %s, which a pod with os.name %s does not have; take it out, or keep such pods out", prefix+field, system)
		}
	}
}

// hostProcesses reports pods in which only some containers run as processes of a Windows host, or without the host's network.
func (p *checkedPod) hostProcesses() {
	option := []string{"securityContext", "windowsOptions", "hostProcess"}
	podOption, podHasIt := node.IsTrue(p.Spec(), option...), isSet(p.Spec(), option...)
	all, some := true, false
	for _, c := range p.containers {
		own, hasOwn := node.IsTrue(c.Node, option...), isSet(c.Node, option...)
		is := own || !hasOwn && podOption
		all, some = all && is, some || is
		if hasOwn && podHasIt && own != podOption {
			p.report(c, finding.InvalidPod, "hostProcess", "securityContext.windowsOptions.hostProcess",
				"has another hostProcess than the pod; make them equal")
		}
	}
	if some && !all {
		p.add(finding.InvalidPod, "hostProcess", p.At("spec"),
			"some containers of the pod have hostProcess and others have not, and all must; set it for all, or keep this pod out")
	}
	if some && !node.IsTrue(p.Spec(), "hostNetwork") {
		p.reportPod("hostProcess network", "hostNetwork", "has containers with hostProcess, which need hostNetwork; set that")
	}
}
