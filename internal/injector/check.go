package injector

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
)

// checker looks for what is well formed and still makes no sense.
type checker struct {
	*problems
	declaration
}

func check(p *problems, d declaration) {
	c := checker{problems: p, declaration: d}
	if !d.expanded {
		c.checkAllButPayload()
	}
	c.checkPayload()
	c.checkAppContainers()
	c.checkPodMetadata()
	c.checkPodSpec()
}

// checkAllButPayload checks what is the same for every pod.
func (c checker) checkAllButPayload() {
	c.checkName()
	c.checkAction()
	c.checkVersion()
	c.checkSelectors()
	c.checkNamespaces()
	c.checkRules()
	c.checkNamePatterns()
	c.checkMarker()
	c.checkWorkloads()
	c.checkMetadataAgain()
	c.checkOwnAnnotation()
	c.checkPodSpecAgain()
	c.checkExpect()
}

func (c checker) checkName() {
	if c.name == "" {
		c.require(c.nameAt, "an injector needs a name, which is its identity; write one")
		return
	}
	if c.name == "true" || c.name == "false" {
		c.refusef(c.nameAt, c.name, "%q is what a marker says to opt in or out; give the injector another name", c.name)
	}
	c.checkWord(c.nameAt, c.name, "injector", validation.IsDNS1123Subdomain)
	if len(c.name) > v1alpha1.MaxNameBytes {
		c.refusef(c.nameAt, c.name, "the name is %d characters long; the most is %d", len(c.name), v1alpha1.MaxNameBytes)
	}
}

// checkWord lets one of Kubernetes' own rules judge a name.
func (c checker) checkWord(at path, word, what string, rule func(string) []string) {
	if faults := rule(word); len(faults) > 0 {
		c.refusef(at, word, "%q is not a valid name for this %s: %s", clip(word, maxShown), what, strings.Join(faults, "; "))
	}
}

// checkAction refuses settings that contradict what is to be done.
func (c checker) checkAction() {
	if c.spec.Action == v1alpha1.Verify && c.spec.Paused {
		c.refusef(c.at("paused"), "true", "an injector that is paused has nothing to verify; take out one of the two")
	}
	if c.spec.Stamp == v1alpha1.StampNone && c.spec.OnDrift != v1alpha1.DriftOverwrite {
		c.refusef(c.at("onDrift"), string(c.spec.OnDrift), "without a stamp nobody knows what was changed by hand; write stamp: Annotation, or leave onDrift out")
	}
}

func (c checker) checkVersion() {
	if version := c.spec.KubernetesVersion; version != "" {
		if _, _, ok := parseVersion(version); !ok {
			c.refusef(c.at("kubernetesVersion"), version,
				"%q is not a Kubernetes version; write MAJOR.MINOR or MAJOR.MINOR.PATCH in quotes, such as \"1.33\"", clip(version, maxShown))
		}
	}
}

func (c checker) checkExpect() {
	expect := c.spec.Expect
	if expect == nil {
		return
	}
	at := c.at("expect")
	if expect.Min != nil && *expect.Min < 0 {
		c.refusef(at.key("min"), fmt.Sprint(*expect.Min), "%d workloads cannot be; write 0 or more", *expect.Min)
	}
	if expect.Max != nil && *expect.Max < 0 {
		c.refusef(at.key("max"), fmt.Sprint(*expect.Max), "%d workloads cannot be; write 0 or more", *expect.Max)
	}
	if expect.Min != nil && expect.Max != nil && *expect.Min > *expect.Max {
		c.refusef(at.key("min"), fmt.Sprint(*expect.Min),
			"min %d is more than max %d, which no number of workloads fits; correct one of them", *expect.Min, *expect.Max)
	}
}
