package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// chosen are the flags for which workloads a verb works on: those that match one value of each flag that is set. It
// leaves all others alone.
type chosen struct {
	names            []string
	namespaces       []string
	selectors        []string
	defaultNamespace string
}

func (c *chosen) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&c.namespaces, "namespace", "n", nil, "only workloads in this `NAMESPACE`, a name or a glob; can be repeated; "+
		"those without metadata.namespace need --default-namespace")
	flags.StringArrayVar(&c.names, "name", nil, "only workloads of this `NAME`, such as web, deployment/web or 'web-*'; can be repeated")
	flags.StringArrayVarP(&c.selectors, "selector", "l", nil, "only workloads whose own labels match this `SELECTOR`, as for kubectl")
	flags.StringVar(&c.defaultNamespace, "default-namespace", "",
		"`NAMESPACE` that objects without metadata.namespace will go to; it is not written, and leaves nothing out")
}

// namespaceOf returns the namespace of objects without one, or "" if it is not known. Root is the kustomization that is
// built, if there is one. To choose by namespaces, it is known if all injectors have the same spec.defaultNamespace.
func (in *input) namespaceOf(config engine.Config, root string) string {
	name := in.defaultNamespace
	if name == "" && root != "" {
		name = kustomization.Namespace(root)
	}
	if isAsked := len(in.namespaces) > 0 || in.project.path != ""; name != "" || !isAsked {
		return name
	}
	for i, injector := range config.Injectors() {
		if i > 0 && injector.Spec.DefaultNamespace != name {
			return ""
		}
		name = injector.Spec.DefaultNamespace
	}
	return name
}

// chosenOf returns the config for the workloads that are chosen.
func (c *chosen) chosenOf(config engine.Config) (engine.Config, error) {
	if c.flags() == "" {
		return config, nil
	}
	for flag, values := range map[string][]string{"--namespace": c.namespaces, "--name": c.names, "--selector": c.selectors} {
		if slices.Contains(values, "") {
			return config, fmt.Errorf("%s is empty; remove it to choose all workloads, or set the variable that it comes from", flag)
		}
	}
	hasName, wrongName := c.byName()
	selector, wrongSelector := labels.Parse(strings.Join(c.selectors, ","))
	if wrongSelector != nil {
		wrongSelector = fmt.Errorf("--selector: %w; write it as for kubectl, such as team=shop,tier!=test", wrongSelector)
	}
	return config.Choosing(func(o *finding.Object, workload *node.Node) bool {
		return hasName(o) && (selector.Empty() || selector.Matches(labels.Set(node.Map(workload, "metadata", "labels"))))
	}), cmp.Or(wrongName, wrongSelector)
}

// byName returns whether a workload has one of the names, and is known to be in one of the namespaces.
func (c *chosen) byName() (func(*finding.Object) bool, error) {
	inNamespaces, wrongNamespace := matching("--namespace", c.namespaces)
	hasName, wrongName := matching("--name", c.names)
	return func(o *finding.Object) bool {
		isThere := len(c.namespaces) == 0 || o.Namespace != "" && inNamespaces(o.Namespace)
		return isThere && slices.ContainsFunc(namesOf(o), hasName)
	}, cmp.Or(wrongNamespace, wrongName)
}

// flags returns the flags that choose, or "" if all workloads are chosen.
func (c *chosen) flags() string {
	var set []string
	add := func(name string, values ...string) {
		for _, value := range values {
			set = append(set, name+" "+shellQuoted(value))
		}
	}
	add("-n", c.namespaces...)
	add("--name", c.names...)
	add("-l", c.selectors...)
	return strings.Join(set, " ")
}

// checkAny returns an error if no workload is chosen: the flag is probably misspelt, and a check of nothing would
// always succeed.
func (c *chosen) checkAny(run outcome.Run) error {
	if len(run.Workloads)+len(run.Makers) > 0 || len(run.LeftAlone) == 0 {
		return nil
	}
	var names []string
	for _, o := range run.LeftAlone {
		names = append(names, o.Name, o.Namespace)
	}
	hint := "."
	if unknown := c.unknownNamespaces(run); unknown != "" {
		hint = "; " + unknown + "."
	}
	for _, word := range slices.Concat(c.names, c.namespaces) {
		if near := spelling.Nearest(word, names); near != "" && !slices.Contains(names, word) {
			hint = "; did you mean " + near + "?"
		}
	}
	return errors.New(c.flags() + " matches none of " + spelling.Plural(len(run.LeftAlone), "workload") + hint + " --allow-empty accepts that")
}

// unknownNamespaces returns how many workloads are left alone because their namespace is not known, and what to do, or
// "".
func (c *chosen) unknownNamespaces(run outcome.Run) string {
	if len(c.namespaces) == 0 {
		return ""
	}
	names := glob.NewList(c.names...)
	unknown := 0
	for _, o := range run.LeftAlone {
		if o.Namespace == "" && (len(c.names) == 0 || slices.ContainsFunc(namesOf(&o), names.Match)) {
			unknown++
		}
	}
	if unknown == 0 {
		return ""
	}
	return "-n leaves alone " + spelling.Plural(unknown, "workload") +
		" without metadata.namespace; --default-namespace says where these go"
}

// namesOf returns the names by which flags choose a workload: web, deployment/web and deployment.apps/web.
func namesOf(o *finding.Object) []string {
	return []string{o.Name, strings.ToLower(o.Kind) + "/" + o.Name, kubectlName(o)}
}

// warnUnmatched writes which names and namespaces match none of the workloads that are chosen, because they are
// probably misspelt, and how many workloads have no namespace to choose by.
func (c *chosen) warnUnmatched(w io.Writer, run outcome.Run) {
	var objects []*finding.Object
	for _, w := range run.Workloads {
		objects = append(objects, &w.Object)
	}
	for _, m := range run.Makers {
		objects = append(objects, &m.Object)
	}
	if unknown := c.unknownNamespaces(run); unknown != "" {
		fmt.Fprintln(w, "warning: "+unknown)
	}
	warn := func(flag string, values []string, of func(*finding.Object) []string) {
		for _, value := range values {
			matches := glob.NewList(value).Match
			if !slices.ContainsFunc(objects, func(o *finding.Object) bool { return slices.ContainsFunc(of(o), matches) }) {
				fmt.Fprintln(w, escape.Line("warning: "+flag+" "+value+" matches no workload that is chosen"))
			}
		}
	}
	warn("-n", c.namespaces, func(o *finding.Object) []string { return []string{o.Namespace} })
	warn("--name", c.names, namesOf)
}

// matching returns whether a name matches one of the entries of a flag, or there are none.
func matching(flag string, entries []string) (func(name string) bool, error) {
	for _, entry := range entries {
		if err := glob.Check(entry); err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
	}
	list := glob.NewList(entries...)
	return func(name string) bool { return len(entries) == 0 || list.Match(name) }, nil
}
