package admission

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/export/policy"
	"pillion.dev/pillion/test/admission/apiserver"
)

// Minor is the minor version of Kubernetes that the policies are made for.
const Minor = 36

// Subject is a config with the policies that are made from it.
type Subject struct {
	config   engine.Config
	policies *apiserver.Policies
}

// NotExportableError has the reasons why a config has no policies.
type NotExportableError struct{ Findings []finding.Finding }

func (e *NotExportableError) Error() string { return fmt.Sprint(e.Findings) }

// Fields returns the fields that have no policy, each once.
func (e *NotExportableError) Fields() []string {
	var fields []string
	for _, f := range e.Findings {
		field := string(f.Code)
		if f.Field != nil {
			field = withoutIndexes(f.Field.Path)
		}
		fields = append(fields, field)
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

func withoutIndexes(path string) string {
	var b strings.Builder
	for rest := path; rest != ""; {
		before, after, found := strings.Cut(rest, "[")
		b.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "]")
	}
	return b.String()
}

// firstMutating is the first minor version of Kubernetes with mutating policies. Subjects for older ones have no such
// policy.
const firstMutating = 34

// Compile returns the policies of a config, as the API server loads them. change may change their text before.
func Compile(config string, change func([]byte) []byte) (*Subject, error) {
	return CompileFor(Minor, config, change)
}

// CompileFor returns the policies of a config for a minor version of Kubernetes, compiled with what the CEL of that
// version has.
func CompileFor(minor int, config string, change func([]byte) []byte) (*Subject, error) {
	read, findings := engine.ReadConfig(finding.Source{Text: []byte(config)})
	if finding.HasError(findings) {
		return nil, fmt.Errorf("config: %w", finding.Err(findings))
	}
	policies, findings := policy.New(read.Injectors(), policy.Options{
		Minor: minor, Mutate: minor >= firstMutating, Validate: true, Actions: []string{"Deny"}, FailurePolicy: "Fail",
		Digest: "0123456789abcdef",
	})
	if finding.HasError(findings) {
		return nil, &NotExportableError{findings}
	}
	text := policies.YAML()
	if change != nil {
		text = change(text)
	}
	loaded, err := apiserver.Load(text, fmt.Sprintf("1.%d", minor))
	if err != nil {
		return nil, fmt.Errorf("%w\nin\n%s", err, text)
	}
	return &Subject{read, loaded}, nil
}

// Comparison says what became of a pod.
type Comparison struct {
	// Outcome is Pillion's: "injected", "unselected", "refused CODE".
	Outcome string
	// Problems are the differences between Pillion and the policies.
	Problems []string
}

// Compare runs Pillion on the manifest of a pod, and the policies on the pod that the API server makes of it.
func (s *Subject) Compare(manifest map[string]any, namespace apiserver.Namespace) (Comparison, error) {
	pod, err := decode(manifest)
	if err != nil {
		return Comparison{}, err
	}
	ours, err := s.inject(manifest, namespace)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Outcome: ours.String()}
	for _, token := range []bool{false, true} {
		for _, problem := range s.compare(pod, ours, namespace, token) {
			if token {
				problem = "with a token: " + problem
			}
			c.Problems = append(c.Problems, problem)
		}
		if len(c.Problems) > 0 {
			break
		}
	}
	return c, nil
}

func (s *Subject) compare(plain *corev1.Pod, ours injected, namespace apiserver.Namespace, token bool) (problems []string) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	arrived := arrive(plain, token)
	arrived.Namespace = namespace.Name
	mutated, err := s.policies.Mutate(arrived, namespace)
	if err != nil {
		if ours.refusal == "" {
			problem("the mutating policy fails: %v", err)
		}
		return problems
	}
	got := arrive(mutated.Pod, token) // the ServiceAccount plugin is reinvoked
	again, err := s.policies.Mutate(got, namespace)
	switch {
	case err != nil:
		problem("the mutating policy fails the second time: %v", err)
	case !same(got, arrive(again.Pod, false)):
		problem("mutating again changes the pod (-first +second):\n%s", diff(got, arrive(again.Pod, false)))
	}
	verdict, err := s.policies.Validate(got, namespace)
	if err != nil {
		problem("the validating policy fails: %v", err)
	}
	switch {
	case ours.refusal != "":
		if verdict.Denied == nil && isDenied(ours) {
			problem("Pillion refuses, and the policies accept: %s", ours.refusal)
		}
		return problems
	case plain.Spec.Resources != nil && ours.changed && same(got, arrived): // it is left alone, and named
		if verdict.Denied == nil || !strings.Contains(verdict.Denied.Error(), "resources of its own") {
			problem("the pod has resources of its own, and the validating policy says %v", verdict.Denied)
		}
		return append(problems, s.compareInjected(ours, namespace, token)...)
	}
	want := arrive(ours.withoutStamps, token)
	want.Namespace = namespace.Name
	if !same(want, got) {
		problem("the pods differ (-Pillion +policy):\n%s", diff(want, got))
	}
	if verdict.Denied != nil {
		problem("the validating policy denies what the mutating policy made: %v", verdict.Denied)
	}
	if ours.changed {
		problems = append(problems, s.compareInjected(ours, namespace, token)...)
	}
	return problems
}

// compareInjected checks that a pod that was injected in Git passes.
func (s *Subject) compareInjected(ours injected, namespace apiserver.Namespace, token bool) (problems []string) {
	fromGit := arrive(ours.pod, token)
	fromGit.Namespace = namespace.Name
	mutated, err := s.policies.Mutate(fromGit, namespace)
	switch {
	case err != nil:
		problems = append(problems, fmt.Sprintf("the mutating policy fails on the pod that Pillion made: %v", err))
	case !same(fromGit, arrive(mutated.Pod, false)):
		problems = append(problems, "the mutating policy changes the pod that Pillion made:\n"+diff(fromGit, arrive(mutated.Pod, false)))
	}
	verdict, err := s.policies.Validate(fromGit, namespace)
	if err != nil || verdict.Denied != nil {
		problems = append(problems, fmt.Sprintf("the validating policy denies the pod that Pillion made: %v %v", err, verdict.Denied))
	}
	return problems
}

// injected is what Pillion makes of the manifest of a pod.
type injected struct {
	pod, withoutStamps *corev1.Pod // nil if it is refused
	changed            bool
	code, refusal      string
}

func (i injected) String() string {
	switch {
	case i.refusal != "":
		return "refused " + i.code
	case i.changed:
		return "injected"
	}
	return "unselected"
}

func (s *Subject) inject(manifest map[string]any, namespace apiserver.Namespace) (injected, error) {
	text, err := json.Marshal(manifest)
	if err != nil {
		return injected{}, err
	}
	space, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": namespace.Name, "labels": namespace.Labels, "annotations": namespace.Annotations},
	})
	if err != nil {
		return injected{}, err
	}
	result, err := engine.Apply(context.Background(), s.config, finding.Source{Text: text}, finding.Source{Text: space})
	if err != nil {
		return injected{}, err
	}
	if result.Run.IsRefused() {
		return refusedBy(result.Run), nil
	}
	i := injected{changed: result.Texts[0] != nil}
	if i.changed {
		text = result.Texts[0]
	}
	if i.pod, err = apiserver.Pod(text); err != nil {
		return injected{}, fmt.Errorf("the pod of Pillion: %w", err)
	}
	i.withoutStamps = i.pod.DeepCopy()
	for _, in := range s.config.Injectors() {
		delete(i.withoutStamps.Annotations, stamp.Key(in.Name))
	}
	return i, nil
}

func refusedBy(run outcome.Run) injected {
	all := slices.Concat(run.Config, run.General)
	for _, w := range run.Workloads {
		all = append(all, w.General...)
		for _, o := range w.Outcomes {
			all = append(all, o.Findings...)
		}
	}
	for _, f := range all {
		if f.Severity == finding.Error {
			return injected{code: string(f.Code), refusal: f.String()}
		}
	}
	return injected{code: "?", refusal: "refused without an error"}
}

// decode returns the pod of a manifest.
func decode(manifest map[string]any) (*corev1.Pod, error) {
	text, err := json.Marshal(manifest)
	if err != nil {
		return nil, err
	}
	return decodeText(text)
}

func decodeText(text []byte) (*corev1.Pod, error) {
	pod, err := apiserver.Pod(text)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if c.Name == "" {
			return nil, errors.New("a container has no name")
		}
	}
	return pod, nil
}

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// arrive returns a pod as mutating policies find it: with defaults and, if wanted, with what the plugins in front of
// them add.
func arrive(pod *corev1.Pod, plugins bool) *corev1.Pod {
	pod = apiserver.Arrive(pod)
	if !plugins {
		return pod
	}
	spec := &pod.Spec
	if spec.ServiceAccountName == "" {
		spec.ServiceAccountName = "default"
	}
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
	if spec.Priority == nil {
		spec.Priority = new(int32)
	}
	if spec.PreemptionPolicy == nil {
		lower := corev1.PreemptLowerPriority
		spec.PreemptionPolicy = &lower
	}
	addToleration(spec, "node.kubernetes.io/not-ready")
	addToleration(spec, "node.kubernetes.io/unreachable")
	if spec.AutomountServiceAccountToken != nil && !*spec.AutomountServiceAccountToken {
		return pod
	}
	addToken(spec)
	return pod
}

func addToleration(spec *corev1.PodSpec, key string) {
	seconds := int64(300)
	for _, t := range spec.Tolerations {
		if (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "") {
			return
		}
	}
	spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
		Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds,
	})
}

// addToken adds the volume with the token, unless it is there, and its mount to each container without one.
func addToken(spec *corev1.PodSpec) {
	name, hasVolume := "kube-api-access-abcde", false
	for _, v := range spec.Volumes {
		if strings.HasPrefix(v.Name, "kube-api-access-") {
			name, hasVolume = v.Name, true
		}
	}
	mounted := false
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			c := &containers[i]
			if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == tokenPath }) {
				continue
			}
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, ReadOnly: true, MountPath: tokenPath})
			mounted = true
		}
	}
	if !hasVolume && mounted {
		mode, expires := int32(420), int64(3607)
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			Projected: &corev1.ProjectedVolumeSource{DefaultMode: &mode, Sources: []corev1.VolumeProjection{
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: &expires}},
			}},
		}})
	}
}

// same reports whether two pods have the same JSON, in which empty lists and mappings are absent, except for the place
// of the token.
func same(a, b *corev1.Pod) bool { return bytes.Equal(canonical(a), canonical(b)) }

func canonical(pod *corev1.Pod) []byte {
	pod = pod.DeepCopy()
	slices.SortStableFunc(pod.Spec.Volumes, func(a, b corev1.Volume) int { return isToken(a.Name) - isToken(b.Name) })
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			containers[i].Env = effective(containers[i].Env)
			slices.SortStableFunc(containers[i].VolumeMounts, func(a, b corev1.VolumeMount) int { return isToken(a.Name) - isToken(b.Name) })
		}
	}
	pod.Kind, pod.APIVersion = "", ""
	text, err := json.Marshal(pod)
	if err != nil {
		panic(err)
	}
	return text
}

// isToken is 1 for the volume with the token, which the API server adds before policies run: what these add comes after
// it.
func isToken(volume string) int {
	if strings.HasPrefix(volume, "kube-api-access-") {
		return 1
	}
	return 0
}

var reference = regexp.MustCompile(`\$\$|\$\([^)]*\)`)

// effective returns variables as a container gets them, sorted by name: the last one of a name counts, and $(NAME) is
// that of a variable before. A policy may put a variable somewhere else than Pillion does, if that makes no difference.
func effective(env []corev1.EnvVar) (all []corev1.EnvVar) {
	values := map[string]string{}
	for _, v := range env {
		value := reference.ReplaceAllStringFunc(v.Value, func(used string) string {
			if before, isSet := values[strings.Trim(used, "$()")]; isSet {
				return before
			}
			return used
		})
		if v.ValueFrom != nil {
			value = "the value of " + v.Name
		}
		values[v.Name] = value
		all = slices.DeleteFunc(all, func(other corev1.EnvVar) bool { return other.Name == v.Name })
		if v.ValueFrom == nil {
			v.Value = value
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// diff returns the lines of the pods that differ.
func diff(a, b *corev1.Pod) string {
	return cmp.Diff(lines(a), lines(b))
}

func lines(pod *corev1.Pod) []string {
	text, err := yaml.JSONToYAML(canonical(pod))
	if err != nil {
		panic(err)
	}
	return strings.Split(string(text), "\n")
}

// isDenied reports whether the validating policy denies what Pillion refuses: a pod that has something else where it
// should have what is declared, or no value for a variable. What it has may be more than what is declared, because
// webhooks add to pods.
func isDenied(ours injected) bool {
	switch finding.Code(ours.code) {
	case finding.VariableUnset:
		return true
	case finding.ContainerConflict:
		_, fields, _ := strings.Cut(ours.refusal, " is already there and differs in ")
		return strings.Contains(fields, "image;") || strings.Contains(fields, "image,")
	default:
		return false
	}
}
