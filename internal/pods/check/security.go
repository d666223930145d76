package check

import (
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// privileges reports a container that has privileges and may not escalate to them.
func (p *checkedPod) privileges(c container) {
	if !node.IsFalse(c.Node, "securityContext", "allowPrivilegeEscalation") {
		return
	}
	has := ""
	if node.IsTrue(c.Node, "securityContext", "privileged") {
		has = "is privileged"
	}
	added := node.List(c.Node, "securityContext", "capabilities", "add")
	if slices.ContainsFunc(added, func(n *node.Node) bool { return node.Resolve(n).Value == "CAP_SYS_ADMIN" }) {
		has = "has the capability CAP_SYS_ADMIN"
	}
	if has != "" {
		p.report(c, finding.InvalidContainer, "escalation", "securityContext.allowPrivilegeEscalation",
			"%s, and allowPrivilegeEscalation is false; change one of them", has)
	}
}

// profiles reports a profile of type Localhost without a file, and a file with another type.
func (p *checkedPod) profiles(c container) {
	for _, field := range []string{"seccompProfile", "appArmorProfile"} {
		profile := node.Get(c.Node, "securityContext", field)
		if node.IsNull(profile) {
			continue
		}
		isLocal, hasFile := node.Text(profile, "type") == "Localhost", node.Text(profile, "localhostProfile") != ""
		if isLocal != hasFile {
			p.report(c, finding.InvalidContainer, field, "securityContext."+field,
				"has a %s with a type and a localhostProfile that do not match; set localhostProfile if the type is Localhost, and only then", field)
		}
	}
}

func (p *checkedPod) podProfiles() { p.profiles(p.whole()) }

// hostNamespaces reports namespaces of the host that a pod with users of its own shares, and devices in such a pod.
func (p *checkedPod) hostNamespaces() {
	if !node.IsFalse(p.spec, "hostUsers") {
		return
	}
	const excluded = ", and hostUsers is false, which exclude each other; take one out"
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		if node.IsTrue(p.spec, field) {
			p.reportPod("hostUsers "+field, field, "has %s"+excluded, field)
		}
	}
	for _, c := range p.containers {
		if len(node.List(c.Node, "volumeDevices")) > 0 {
			p.report(c, finding.InvalidPod, "hostUsers", "volumeDevices", "has volume devices"+excluded)
		}
	}
}

// procMounts reports an open /proc in a pod that shares the host's users.
func (p *checkedPod) procMounts() {
	for _, c := range p.containers {
		if node.Text(c.Node, "securityContext", "procMount") == "Unmasked" && !node.IsFalse(p.spec, "hostUsers") {
			p.report(c, finding.InvalidPod, "procMount", "securityContext.procMount",
				"has the procMount Unmasked, which needs a pod with hostUsers: false; set spec.podSpec.hostUsers, or remove it")
		}
	}
}

// hostSysctls are the prefixes of sysctls that a pod cannot set with a field that makes them the host's.
var hostSysctls = []struct{ field, prefix string }{
	{"hostNetwork", "net."}, {"hostIPC", "kernel.shm"}, {"hostIPC", "kernel.msg"}, {"hostIPC", "kernel.sem"}, {"hostIPC", "fs.mqueue."},
}

// sysctls reports sysctls that are set twice, and those that are the host's.
func (p *checkedPod) sysctls() {
	list := node.List(p.spec, "securityContext", "sysctls")
	at := func(i int) string { return "securityContext." + entry("sysctls", i) + ".name" }
	for i, name := range repeats(list, "name") {
		p.reportPod("sysctl "+name, at(i), "sets the sysctl %q twice; remove one", name)
	}
	for i, sysctl := range list {
		name := node.Text(sysctl, "name")
		for _, host := range hostSysctls {
			if strings.HasPrefix(strings.ReplaceAll(name, "/", "."), host.prefix) && node.IsTrue(p.spec, host.field) {
				p.reportPod("host sysctl "+name, at(i), "sets the sysctl %q, which is the host's in a pod with %s; take one out", name, host.field)
			}
		}
	}
}

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
	switch node.Text(p.spec, "os", "name") {
	case "windows":
		p.notOn("Windows", p.whole(), p.spec, "", notInWindowsPod)
		p.notOn("Windows", p.whole(), node.Get(p.spec, "securityContext"), "securityContext.", notInWindowsPodContext)
		for _, c := range p.containers {
			p.notOn("Windows", c, node.Get(c.Node, "securityContext"), "securityContext.", notInWindowsContainer)
		}
	case "linux":
		for _, c := range append(p.containers, p.whole()) {
			p.notOn("Linux", c, node.Get(c.Node, "securityContext"), "securityContext.", []string{"windowsOptions"})
		}
	}
}

func (p *checkedPod) notOn(system string, c container, parent *node.Node, prefix string, fields []string) {
	for _, field := range fields {
		value := node.Get(parent, field)
		isEmpty := field == "sysctls" && len(node.List(value)) == 0 || (field == "hostPID" || field == "hostIPC") && !node.IsTrue(value)
		if !node.IsNull(value) && !isEmpty {
			p.report(c, finding.InvalidPod, system+" "+field, prefix+field,
				"has %s, which a pod with os.name %s does not have; take it out, or keep such pods out", prefix+field, system)
		}
	}
}

// hostProcesses reports pods in which only some containers run as processes of a Windows host, or without the host's
// network.
func (p *checkedPod) hostProcesses() {
	option := []string{"securityContext", "windowsOptions", "hostProcess"}
	podOption, podHasIt := node.IsTrue(p.spec, option...), isSet(p.spec, option...)
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
	if some && !node.IsTrue(p.spec, "hostNetwork") {
		p.reportPod("hostProcess network", "hostNetwork", "has containers with hostProcess, which need hostNetwork; set that")
	}
}
