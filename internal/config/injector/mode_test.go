package injector

import (
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestModeAutoIsNativeWhereTheClusterHasNativeSidecars(t *testing.T) {
	const container = "containers: [{name: envoy, image: envoy:v1}]\n"
	set := "apiVersion: apps.kruise.io/v1beta1\nkind: SidecarSet\nmetadata: {name: envoy}\nspec:\n  " +
		"selector: {matchLabels: {a: b}}\n  " + container
	for _, test := range []struct {
		claim, config string
		want          v1alpha1.Mode
		inAll, inJobs bool // whether it is native in pods that keep running, and in pods that finish
	}{
		{"without a version", with(""), v1alpha1.ModeNative, true, true},
		{"since 1.29", with(`kubernetesVersion: "1.29"`), v1alpha1.ModeNative, true, true},
		{"until 1.28", with(`kubernetesVersion: "1.28"`), v1alpha1.ModeAuto, false, false},
		{"until 1.28 in jobs: Inject", with("kubernetesVersion: \"1.28\"\njobs: Inject"), v1alpha1.ModeAuto, false, false},
		{"a plain one", sidecar("mode: Container"), v1alpha1.ModeContainer, false, false},
		{"in a ConfigMap", classicMap("config: |\n  " + container), v1alpha1.ModeAuto, false, true},
		{"in a ConfigMap with jobs: Inject", classicMap("jobs: Inject\nconfig: |\n  " + container), v1alpha1.ModeAuto, false, false},
		{"in a ConfigMap until 1.28", classicMap("kubernetesVersion: '1.28'\nconfig: |\n  " + container), v1alpha1.ModeAuto, false, false},
		{"in a SidecarSet", set, v1alpha1.ModeContainer, false, false},
	} {
		in := one(t, test.config)
		c := in.Containers[0]
		if c.Mode != test.want || in.IsNative(c, false) != test.inAll || in.IsNative(c, true) != test.inJobs {
			t.Errorf("%s: mode %s, native %v, and %v in pods that finish", test.claim, c.Mode, in.IsNative(c, false), in.IsNative(c, true))
		}
	}
}

func TestJobsInjectIsRefusedWhereSidecarsAreNative(t *testing.T) {
	want := []string{"spec.jobs: sidecars of mode Auto are native in every pod, so Inject has no meaning; remove it, and write " +
		"mode: Container on the containers that are to be plain"}
	for _, test := range []bad{
		{"without a version", with("jobs: Inject"), want},
		{"since 1.29", with("kubernetesVersion: \"1.29\"\njobs: Inject"), want},
		{"with plain containers only", sidecar("mode: Container") + "  jobs: Inject\n", want},
	} {
		test.run(t)
	}
}
