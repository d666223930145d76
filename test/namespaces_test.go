package test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNamespacesExample checks what the README of the example says about other settings than its own.
func TestNamespacesExample(t *testing.T) {
	for _, test := range []struct {
		claim, old, new string
		flags           []string
		injected        []string
		warns           bool
	}{
		{"as it is", "", "", nil, []string{"cart", "catalog"}, false},
		{"the flag takes precedence", "", "", []string{"--default-namespace", "bank"}, []string{"cart"}, false},
		{"without a default", "  defaultNamespace:", "  # defaultNamespace:", nil, []string{"cart"}, true},
		{"no pattern includes kube-system", "[team-*]", `["*"]`, nil, []string{"cart", "catalog"}, false},
		{"its full name does", "[team-*]", "[team-*, kube-system]", nil, []string{"cart", "catalog", "dns"}, false},
	} {
		t.Run(test.claim, func(t *testing.T) {
			pkg := copyPackage(t, filepath.Join(root, "examples", "namespaces"))
			injector := filepath.Join(pkg, "injector.yaml")
			writeFile(t, injector, strings.Replace(readFile(t, injector), test.old, test.new, 1))
			r := mustRun(t, pkg, "", "pillion", slices.Concat([]string{"inject", "-c", "injector.yaml", "-f", ".", "-o", "name"}, test.flags)...)
			want := "deployment.apps/" + strings.Join(test.injected, "\ndeployment.apps/") + "\n"
			if r.stdout != want {
				t.Errorf("injected are\n%swant\n%s%s", r.stdout, want, r.stderr)
			}
			if strings.Contains(r.stderr, "warning NamespaceUnknown: 1 workload ") != test.warns {
				t.Errorf("want a warning: %t\n%s", test.warns, r.stderr)
			}
		})
	}
}
