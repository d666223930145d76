package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const exportable = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: envoy}
spec:
  containers: [{name: envoy, image: envoy:1}]
`

func exportConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "injector.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestExportPrints(t *testing.T) {
	config := exportConfig(t, exportable)
	for format, lines := range map[string][]string{
		"kustomize": {
			"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
			"# List the directory of this file under components",
			"#   kustomize build DIR | pillion verify -c injector.yaml -f -\n",
		},
		"flux": {
			"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n",
			"# Copy spec.patches into your Flux Kustomization",
			" | pillion verify -c injector.yaml -f -\n",
		},
		"admission": {"kind: MutatingAdmissionPolicy\n"},
	} {
		code, out, said := run([]string{"export", format, "-c", config}, "")
		if code != 0 || said != "" || !strings.HasPrefix(out, "# Made by pillion export") {
			t.Errorf("%s: exit code %d, said %q, printed:\n%s", format, code, said, out)
		}
		for _, line := range lines {
			if !strings.Contains(out, line) {
				t.Errorf("%s does not have %q:\n%s", format, line, out)
			}
		}
		if _, again, _ := run([]string{"export", format, "-c", config}, ""); again != out {
			t.Errorf("%s: a second export differs", format)
		}
	}
}

func TestExportRefusesWhatIsWrong(t *testing.T) {
	good := exportConfig(t, exportable)
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no config":       {[]string{"flux"}, "name a file with -c"},
		"no such file":    {[]string{"flux", "-c", "nowhere.yaml"}, "nowhere.yaml"},
		"not YAML":        {[]string{"flux", "-c", exportConfig(t, "a: [b")}, "this is not YAML"},
		"a broken config": {[]string{"flux", "-c", exportConfig(t, exportable+"  contaners: []\n")}, "contaners"},
		"an unsupported field": {
			[]string{"flux", "-c", exportConfig(t, exportable+"  policy: Disabled\n")}, "error NotExportable: spec.policy: ",
		},
		"actions of a policy that is not written": {
			[]string{"admission", "-c", good, "--only", "mutate", "--actions", "Warn"}, "--actions is for the validating policy",
		},
		"a version with letters": {[]string{"admission", "-c", good, "--kubernetes-version", "1.36.x"}, "is not a version of Kubernetes"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, said := run(append([]string{"export"}, test.args...), "")
			if code != 1 || out != "" || !strings.Contains(said, test.says) {
				t.Errorf("exit code %d, printed %q, said %q; want 1, nothing and %q", code, out, said, test.says)
			}
		})
	}
}

func TestExportWritesItsOwnFilesOnly(t *testing.T) {
	config, dir := exportConfig(t, exportable), filepath.Join(t.TempDir(), "components", "envoy")
	args := []string{"export", "kustomize", "-c", config, "--dir", dir}
	_, printed, _ := run(args[:len(args)-2], "")
	file := filepath.Join(dir, "kustomization.yaml")

	for range 2 {
		if code, out, said := run(args, ""); code != 0 || out+said != "" {
			t.Fatalf("exit code %d, printed %q, said %q", code, out, said)
		}
		holds(t, file, printed)
	}
	if err := os.WriteFile(config, []byte(strings.Replace(exportable, "envoy:1", "envoy:2", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, said := run(args, ""); code != 0 {
		t.Fatalf("an export is not written again: %s", said)
	}
	_, printed, _ = run(args[:len(args)-2], "")
	holds(t, file, printed)

	const own = "resources: [web.yaml]\n"
	if err := os.WriteFile(file, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, said := run(args, ""); code != 1 || !strings.Contains(said, file+" exists and was not") {
		t.Errorf("exit code %d, said %q", code, said)
	}
	holds(t, file, own)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("something was left behind: %v, %v", entries, err)
	}
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("%s holds:\n%s\nwant:\n%s", file, text, want)
	}
}

func TestExportReadsVersionsThatClustersReport(t *testing.T) {
	config := exportConfig(t, exportable)
	for _, version := range []string{"1.36", "v1.36.2", "1.36.0-gke.100", "v1.36.1-eks-3025e55", "v1.36.1+k3s1", "1.36.0-rc.1"} {
		code, out, said := run([]string{"export", "admission", "-c", config, "--kubernetes-version", version}, "")
		if code != 0 || !strings.Contains(out, "/v1\nkind: MutatingAdmissionPolicy\n") {
			t.Errorf("%s: exit code %d, said %q", version, code, said)
		}
	}
}
