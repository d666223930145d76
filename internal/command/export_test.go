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
  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
  containers: [{name: envoy, image: envoy:1, mode: Container}]
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
	for to, kind := range map[string]string{
		"kustomize": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
		"flux":      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n",
	} {
		code, out, said := run([]string{"export", "-c", config, "--to", to}, "")
		if code != 0 || said != "" || !strings.HasPrefix(out, "# Made by pillion export") || !strings.Contains(out, kind) {
			t.Errorf("--to %s: exit code %d, said %q, printed:\n%s", to, code, said, out)
		}
		if _, again, _ := run([]string{"export", "-c", config, "--to", to}, ""); again != out {
			t.Errorf("--to %s: a second export differs", to)
		}
	}
}

// TestExportedFileExplainsItsUse checks the instructions in the file: used in another way, its pods may differ from Pillion's.
func TestExportedFileExplainsItsUse(t *testing.T) {
	config := exportConfig(t, exportable)
	for to, lines := range map[string][]string{
		"kustomize": {
			"# List the directory of this file, here DIR, in a kustomization that contains nothing else",
			"#   resources: [app]\n#   components: [DIR]\n",
		},
		"flux": {
			"kustomization at its spec.path contains nothing except resources",
			"# Move targetNamespace, namePrefix, nameSuffix, commonMetadata, images",
		},
	} {
		_, out, _ := run([]string{"export", "-c", config, "--to", to}, "")
		for _, line := range lines {
			if !strings.Contains(out, line) {
				t.Errorf("--to %s does not say %q:\n%s", to, line, out)
			}
		}
	}
}

func TestExportRefusesWhatIsWrong(t *testing.T) {
	good := exportConfig(t, exportable)
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no config":       {[]string{"--to", "flux"}, "name a file with -c"},
		"no such file":    {[]string{"-c", "nowhere.yaml", "--to", "flux"}, "nowhere.yaml"},
		"no --to":         {[]string{"-c", good}, "use --to kustomize, --to flux or --to admission"},
		"an unknown --to": {[]string{"-c", good, "--to", "helm"}, `--to is "helm"`},
		"not YAML":        {[]string{"-c", exportConfig(t, "a: [b"), "--to", "flux"}, "this is not YAML"},
		"a broken config": {[]string{"-c", exportConfig(t, exportable+"  contaners: []\n"), "--to", "flux"}, "contaners"},
		"an unsupported field": {
			[]string{"-c", exportConfig(t, exportable+"  policy: disabled\n"), "--to", "flux"}, "error NotExportable: spec.policy: ",
		},
		"actions of a policy that is not written": {
			[]string{"-c", good, "--to", "admission", "--only", "mutate", "--actions", "Warn"}, "--actions is for the validating policy",
		},
		"a version with letters": {[]string{"-c", good, "--to", "admission", "--kubernetes-version", "1.36.x"}, "is not a version of Kubernetes"},
		"a lost check":           {[]string{"-c", exportConfig(t, exportable+"  expect: {min: 1}\n"), "--to", "flux"}, "--without-checks"},
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
	args := []string{"export", "-c", config, "--to", "kustomize", "--output", dir}
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
	holds(t, file, strings.Replace(printed, "envoy:1", "envoy:2", 1))

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
	const rules = "  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]\n"
	config := exportConfig(t, strings.Replace(exportable, rules, "", 1))
	for _, version := range []string{"1.36", "v1.36.2", "1.36.0-gke.100", "v1.36.1-eks-3025e55", "v1.36.1+k3s1", "1.36.0-rc.1"} {
		code, out, said := run([]string{"export", "-c", config, "--to", "admission", "--kubernetes-version", version}, "")
		if code != 0 || !strings.Contains(out, "--kubernetes-version 1.36\n") {
			t.Errorf("%s: exit code %d, said %q", version, code, said)
		}
	}
}
