package injector

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
)

// checker reports fields of a declaration that were decoded and make no sense.
type checker struct {
	*schema.Problems
	declaration
}

func check(p *schema.Problems, d declaration) {
	c := checker{Problems: p, declaration: d}
	if !d.isForPod() {
		c.checkName()
		c.checkAction()
		c.checkVersion()
		c.checkSelectors()
		c.checkNamespaces()
		c.checkRules()
		c.checkNames("names", c.spec.Names)
		c.checkNames("excludeNames", c.spec.ExcludeNames)
		c.checkMarker()
		c.checkWorkloads()
		c.checkIdempotent()
		c.checkContainerVariables()
		c.checkExpect()
		c.checkJobs()
	}
	c.checkPayload()
	c.checkAppContainers()
	c.checkPodMetadata()
	c.checkPodSpec()
}

func (c checker) checkName() {
	if c.name == "" {
		c.Missing(schema.NameAt, "an injector needs a name, which is its identity; write one")
		return
	}
	if c.name == "true" || c.name == "false" {
		c.Refusef(schema.NameAt, c.name,
			"%q is the value of a marker that opts in or out; give the injector another name", c.name)
	}
	c.CheckValid(schema.NameAt, c.name, "injector name", validation.IsDNS1123Subdomain)
	if len(c.name) > v1alpha1.MaxNameBytes {
		c.Refusef(schema.NameAt, c.name,
			"the name is %d characters long; the most is %d", len(c.name), v1alpha1.MaxNameBytes)
	}
}

func (c checker) checkMarker() {
	c.CheckValid(schema.InSpec("marker"), c.spec.Marker, "annotation key", schema.IsAnnotationKey)
	if strings.HasPrefix(c.spec.Marker, v1alpha1.StampPrefix) {
		c.Refusef(schema.InSpec("marker"), c.spec.Marker,
			"annotations whose keys begin with %s are stamps; choose another key", v1alpha1.StampPrefix)
	}
}

// checkAction reports settings that contradict the action.
func (c checker) checkAction() {
	if c.spec.Action == v1alpha1.Verify && c.spec.Paused {
		c.Refusef(schema.InSpec("paused"), "true",
			"an injector that is paused has nothing to verify; remove one of the two")
	}
}

func (c checker) checkVersion() {
	if version := c.spec.KubernetesVersion; version != "" {
		if _, _, ok := schema.ParseVersion(version); !ok {
			c.Refusef(schema.InSpec("kubernetesVersion"), version,
				"%q is not a Kubernetes version; write MAJOR.MINOR or MAJOR.MINOR.PATCH in quotes, such as \"1.33\"",
				schema.Shown(version))
		}
	}
}

func (c checker) checkJobs() {
	if c.spec.Jobs == v1alpha1.JobsInject && !c.canBePlain() {
		c.Refusef(schema.InSpec("jobs"), string(c.spec.Jobs),
			"sidecars of mode Auto are native in every pod, so Inject has no meaning; "+
				"remove it, and write mode: Container on the containers that are to be plain")
	}
}

func (c checker) checkExpect() {
	expect := c.spec.Expect
	at := schema.InSpec("expect")
	if expect == nil {
		return
	}
	check := func(field string, bound *int) {
		if bound != nil && *bound < 0 {
			c.Refusef(at.Key(field), strconv.Itoa(*bound), "%d is not a number of workloads; write 0 or more", *bound)
		}
	}
	check("min", expect.Min)
	check("max", expect.Max)
	if expect.Min != nil && expect.Max != nil && *expect.Min > *expect.Max {
		c.Refusef(at.Key("min"), strconv.Itoa(*expect.Min),
			"min %d is more than max %d, which no number of workloads fits; correct one of them",
			*expect.Min, *expect.Max)
	}
}
