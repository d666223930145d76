// Package policy prints the plan of injectors as admission policies that the API server runs itself: a
// MutatingAdmissionPolicy that adds to new pods what the injectors declare, and a ValidatingAdmissionPolicy that
// reports or refuses pods without it.
//
// People sign off a policy by reading it, so there is one commented block for each operation of the plan. What would
// take more than that is refused, see refusals.
package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
)

// Policies are the policies of one or more injectors.
type Policies struct {
	options   Options
	injectors []*injector.Injector

	mutating, validating *policy // nil if they are not wanted
}

// policy is a policy before it is written.
type policy struct {
	who         who
	variables   []named
	mutation    string
	validations []validation
}

// named is a variable, which later expressions use as variables.NAME.
type named struct{ name, comment, expression string }

// validation is a condition that a pod must meet. Its message may be an expression, and a text is needed even then.
type validation struct{ expression, message, messageExpression string }

// New creates the policies of injectors. If policies cannot express all of them, it returns an error finding for each
// field that prevents it, and no policies.
func New(injectors []*injector.Injector, options Options) (Policies, []finding.Finding) {
	p := Policies{options: options, injectors: injectors}
	if len(injectors) == 0 { // which is an error of the config
		return p, nil
	}
	if findings := tooMany(injectors); len(findings) > 0 {
		return Policies{}, findings
	}
	if findings := refuse(injectors, options); len(findings) > 0 {
		return Policies{}, findings
	}
	if options.Mutate {
		p.mutating = newPrinter(injectors, "a.c").mutating()
	}
	if options.Validate {
		p.validating = newPrinter(injectors, "a").validating()
	}
	if findings := p.tooLong(); len(findings) > 0 {
		return Policies{}, findings
	}
	return p, nil
}

// printer prints the expressions of one policy.
type printer struct {
	policy

	subjects  []*subject
	selecting []named           // variables of those that do not select all pods of the policy: they come first
	webhooks  []string          // the names of containers of webhooks
	container string            // the expression for a container of the app, in what is done for each of them
	values    map[string]string // the variables for those of payloads
}

// subject is an injector in a policy.
type subject struct {
	*injector.Plan

	who     who    // for which pods it is, without what all injectors have in common
	needs   []need // what a pod must have besides
	selects string // the variable that is true for the pods that it selects, or nothing
	guard   string // the variable that is true for the pods that get it, or nothing
}

func newPrinter(injectors []*injector.Injector, container string) *printer {
	p := &printer{container: container, values: map[string]string{}, webhooks: webhookContainers(injectors)}
	for _, in := range injectors {
		filled, needs := p.fill(in)
		p.subjects = append(p.subjects, &subject{Plan: filled.Plan(), who: whoOf(in), needs: needs})
	}
	return p
}

// webhookContainers returns the containers that webhooks add to pods. The API server runs a policy again after a
// webhook has added its container, which is the app's only if appContainers names it.
func webhookContainers(injectors []*injector.Injector) []string {
	var named []string
	for _, in := range injectors {
		for _, rule := range in.AppContainers {
			named = append(named, rule.Names...)
		}
	}
	return slices.DeleteFunc(pod.WebhookContainers(), func(name string) bool { return slices.Contains(named, name) })
}

// selectPods makes the selection of the policy of what all injectors have in common, and a variable of the rest for
// each of them.
func (p *printer) selectPods() {
	whos := make([]*who, len(p.subjects))
	for i, s := range p.subjects {
		whos[i] = &s.who
	}
	p.who = takeShared(whos)
	for _, s := range p.subjects {
		selects, needs := s.who.guards()
		s.selects = p.defineNew(&p.selecting, "selects_"+s.Name, "whether "+s.Name+" selects the pod", selects)
		s.guard = s.selects
		if len(needs) == 0 {
			continue
		}
		if s.selects != "" {
			needs = append([]term{atom(s.selects)}, needs...)
		}
		s.guard = p.defineNew(&p.variables, "for_"+s.Name, "whether the pod gets what "+s.Name+" declares", needs)
	}
}

// defineNew adds a variable for conditions to others, and returns the expression for it; nothing if there are no
// conditions.
func (p *printer) defineNew(to *[]named, name, comment string, conditions []term) string {
	if len(conditions) == 0 {
		return ""
	}
	name = p.newName(name)
	*to = append(*to, named{name, comment, every(conditions...).text()})
	return "variables." + name
}

// define adds a variable, unless it is there.
func (p *printer) define(name, comment string, expression term) {
	if !p.isDefined(name) {
		p.variables = append(p.variables, named{name, comment, expression.text()})
	}
}

// newName returns the name of a new variable.
func (p *printer) newName(text string) string {
	name := identifier(text)
	for p.isDefined(name) {
		name += "_"
	}
	return name
}

func (p *printer) isDefined(name string) bool {
	return slices.ContainsFunc(slices.Concat(p.selecting, p.variables), func(v named) bool { return v.name == name })
}

// injected returns the expression for the names of the containers of the injectors that select the pod, and of
// webhooks: any other container is the app's.
func (p *printer) injected() term {
	var always []string
	var others []term
	for _, s := range p.subjects {
		var declared []string
		for _, c := range slices.Concat(s.InitContainers, s.Containers) {
			declared = append(declared, c.Name)
		}
		switch {
		case s.selects == "":
			always = append(always, declared...)
		case len(declared) > 0:
			others = append(others, names(declared).in("("+s.selects+" ? ", " : [])"))
		}
	}
	always = append(always, p.webhooks...)
	return sum(append([]term{names(always)}, others...)).broken()
}

// common are the variables that blocks use.
func (p *printer) common() []named {
	const inits = "object.spec.?initContainers.orValue([])"
	const isApps = "!(c.name in variables.injected)"
	apps := func(containers, list string) term {
		if p.container == "a" {
			return atom(containers + ".filter(c, " + isApps + ")")
		}
		return term{
			open: containers + ".transformList(i, c, " + isApps + ",", close: ")", isBroken: true,
			parts: []term{atom(fmt.Sprintf(
				`{"at": dyn("/spec/%s/" + string(i)), "c": c, "env": dyn(c.?env.orValue([]).map(e, e.name))}`, list))},
		}
	}
	withPaths := ""
	if p.container != "a" {
		withPaths = ", with their paths and the names of their variables"
	}
	return []named{
		{"names", "of all containers", "object.spec.containers.map(c, c.name) + " + inits + ".map(c, c.name)"},
		{"containers", "their names", "object.spec.containers.map(c, c.name)"},
		{"inits", "the names of the init containers", inits + ".map(c, c.name)"},
		{"volumes", "their names", "object.spec.?volumes.orValue([]).map(v, v.name)"},
		{
			"injected", "containers that are not the app's: those of injectors and of well-known webhooks",
			p.injected().text(),
		},
		{"app", "the app's default container, if there is one", defaultContainer().text()},
		{"apps", "the app's containers" + withPaths, apps("object.spec.containers", pod.Main).text()},
		{"appInits", "the app's init containers" + withPaths, apps(inits, pod.Init).text()},
	}
}

// expressions returns the expressions of a policy, if there is one.
func (p *policy) expressions() (all []string) {
	if p == nil {
		return nil
	}
	all = append(all, p.mutation)
	for _, v := range p.validations {
		all = append(all, v.expression)
	}
	for _, v := range p.variables {
		all = append(all, v.expression)
	}
	return all
}

// finish puts the common variables that are used in front of the others.
func (p *printer) finish() *policy {
	text := strings.Join(p.expressions(), "\n")
	var used []named
	for _, v := range slices.Backward(p.common()) { // one may use those before it
		if regexp.MustCompile(`variables\.` + v.name + `\b`).MatchString(text) {
			used = append([]named{v}, used...)
			text += v.expression
		}
	}
	p.variables = slices.Concat(p.selecting, used, p.variables)
	return &p.policy
}

// apps returns the containers of the app that an entry of appContainers may be for.
func apps(rule *injector.AppContainers) string {
	if rule.IncludeInit {
		return "(variables.apps + variables.appInits)"
	}
	return "variables.apps"
}

// isFor returns the condition that an entry of appContainers is for the container a, or nothing if it is for all.
func (p *printer) isFor(rule *injector.AppContainers) []term {
	if rule.Includes("") {
		return nil
	}
	return []term{names(rule.Names).in(p.container+".name in ", "")}
}

// each returns the condition that each container of an entry of appContainers meets a condition.
func (p *printer) each(rule *injector.AppContainers, condition term) term {
	for _, isFor := range p.isFor(rule) {
		condition = term{parts: []term{isFor.in("!(", ")"), condition}, separator: " ||"}
	}
	return condition.in(apps(rule)+".all(a, ", ")")
}
