package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// environment is the environment of the repo server.
type environment map[string]string

func (e environment) lookup(name string) (string, bool) {
	value, isSet := e[name]
	return value, isSet
}

func TestAWrongSettingOfThePlatformIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		env  environment
		says string
	}{
		"a config that is missing": {environment{platformVariable: "/missing"}, "PILLION_CONFIG: "},
		"a word":                   {environment{repositoryVariable: "Deny"}, `PILLION_REPOSITORY_INJECTORS is "Deny"; it can be allow or deny`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readPlatform(test.env.lookup); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it says %v, want %q", err, test.says)
			}
		})
	}
}

// TestThePlatformAlwaysRuns claims that no config of a repository keeps the platform's sidecar out, with the stand-in
// and with the plugin.
func TestThePlatformAlwaysRuns(t *testing.T) {
	const (
		paused   = "spec:\n  paused: true\n"
		declared = "  workloads: [{group: serving.kserve.io, kind: InferenceService, podTemplates: []}]\n"
		service  = "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: model}\n" +
			"spec: {predictor: {containers: [{name: model, image: model}]}}\n"
	)
	for _, test := range []struct {
		name         string
		config       string // of the repository
		setting, app string
		want         string // the sidecars, or what it says
	}{
		{name: "without an own config", want: "envoy"},
		{name: "with one that adds", config: logs, want: "envoy logs"},
		{name: "with one that is allowed", config: logs, setting: "allow", want: "envoy logs"},
		{name: "with one that does nothing", config: strings.Replace(logs, "spec:\n", paused, 1), want: "envoy"},
		{
			name: "with one that keeps a kind out", config: logs + declared, app: service,
			want: `the injector "logs" has spec.workloads, which would apply to the injectors in the ConfigMap pillion-injectors`,
		},
		{
			name: "with one of the same name", config: envoy,
			want: `the injector "envoy" has the name of one in the ConfigMap pillion-injectors, which always run`,
		},
		{
			name: "with one of the same name in a list", want: `the injector "envoy" has the name`,
			config: "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n" +
				"- {metadata: {name: envoy}, spec: {paused: true, containers: [{name: envoy, image: envoy}]}}\n",
		},
		{
			name: "with one that removes it", want: `the injector "envoy" has the name`,
			config: "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: envoy}, spec: {action: Remove}}",
		},
		{
			name: "with one of the same name after another", config: logs + "---\n" + envoy,
			want: `the injector "envoy" has the name`,
		},
		{
			name: "with another container of the same name", want: "InjectorConflict",
			config: strings.NewReplacer("- name: logs", "- name: envoy", "3.2.4", "4.0.0").Replace(logs),
		},
		{name: "with one that only verifies", config: logs + "  action: Verify\n", want: "a list verifies as a whole or not at all"},
		{name: "with one that is denied", config: logs, setting: "deny", want: "repositories may not add injectors here"},
		{name: "where none could be added", setting: "deny", want: "envoy"},
	} {
		t.Run(test.name, func(t *testing.T) {
			mounted := filepath.Join(realTempDir(t), "platform")
			makeFile(t, filepath.Join(mounted, "envoy.yaml"), envoy, false)
			t.Setenv(platformVariable, mounted)
			t.Setenv(repositoryVariable, test.setting)
			if test.app == "" {
				test.app = web
			}
			files := map[string]string{"web.yaml": test.app}
			if test.config != "" {
				files[configName] = test.config
			}
			check := func(by, out, said string) {
				t.Helper()
				var sidecars []string
				for _, found := range regexp.MustCompile(`(?m)name: (envoy|logs)$`).FindAllStringSubmatch(out, -1) {
					sidecars = append(sidecars, found[1])
				}
				if got := strings.Join(sidecars, " "); got != test.want && !strings.Contains(said, test.want) || out == "" && said == "" {
					t.Errorf("%s injects %q, want %s; it says\n%s", by, got, test.want, said)
				}
			}
			command := standInFor(t, "kustomize", fakeTool, files, "build", ".")
			command.Env = append(command.Env, platformVariable+"="+mounted, repositoryVariable+"="+test.setting)
			var out, said strings.Builder
			command.Stdout, command.Stderr = &out, &said
			_ = command.Run()
			check("the stand-in", out.String(), said.String())

			t.Setenv("ARGOCD_APP_PARAMETERS", "[]") // as if it named the plugin
			printed, reported, err := runIn(t, files, "generate")
			if err != nil {
				reported += err.Error()
			}
			check("the plugin", printed, reported)
		})
	}
}
