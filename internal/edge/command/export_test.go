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
	} {
		t.Run(name, func(t *testing.T) {
			code, out, said := run(append([]string{"export"}, test.args...), "")
			if code != 1 || out != "" || !strings.Contains(said, test.says) {
				t.Errorf("exit code %d, printed %q, said %q; want 1, nothing and %q", code, out, said, test.says)
			}
		})
	}
}
