package test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/config/preset"
)

// TestPresetsFitTheirObjects checks that what a preset and the objects next to it name in each other is there: keys of
// Secrets, files of ConfigMaps, ports of Services, roles and accounts.
func TestPresetsFitTheirObjects(t *testing.T) {
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			dir := plainApp(t)
			initPreset(t, p, dir, "injector")
			mustRun(t, dir, "", "pillion", "inject", "-c", "injector.yaml", "-f", ".", "-i")
			var app appsv1.Deployment
			decode(t, readFile(t, filepath.Join(dir, "deployment.yaml")), &app)
			if len(p.Beside) == 0 {
				return
			}
			objects := readObjects(t, readFile(t, filepath.Join(dir, p.ObjectsFile())))
			spec := app.Spec.Template.Spec
			for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
				secretKeysExist(t, c, objects)
				configFilesExist(t, c, spec.Volumes, objects)
				probesHavePorts(t, c)
			}
			for _, service := range objects.services {
				pointsTo(t, service, app)
			}
			bindingsFit(t, app, objects)
		})
	}
}

// presetObjects are the objects next to a preset, by name.
type presetObjects struct {
	configMaps map[string]corev1.ConfigMap
	secrets    map[string]corev1.Secret
	services   map[string]corev1.Service
	accounts   map[string]corev1.ServiceAccount
	roles      map[string]rbacv1.ClusterRole
	bindings   map[string]rbacv1.ClusterRoleBinding
}

func readObjects(t *testing.T, manifests string) presetObjects {
	t.Helper()
	all := presetObjects{
		configMaps: map[string]corev1.ConfigMap{},
		secrets:    map[string]corev1.Secret{},
		services:   map[string]corev1.Service{},
		accounts:   map[string]corev1.ServiceAccount{},
		roles:      map[string]rbacv1.ClusterRole{},
		bindings:   map[string]rbacv1.ClusterRoleBinding{},
	}
	for manifest := range strings.SplitSeq(manifests, "\n---\n") {
		var head struct {
			Kind     string
			Metadata struct{ Name, Namespace string }
		}
		if err := yaml.Unmarshal([]byte(manifest), &head); err != nil {
			t.Fatal(err)
		}
		name := head.Metadata.Name
		switch head.Kind {
		case "ConfigMap":
			all.configMaps[name] = decoded[corev1.ConfigMap](t, manifest)
		case "Secret":
			all.secrets[name] = decoded[corev1.Secret](t, manifest)
		case "Service":
			all.services[name] = decoded[corev1.Service](t, manifest)
		case "ServiceAccount":
			all.accounts[name] = decoded[corev1.ServiceAccount](t, manifest)
		case "ClusterRole":
			all.roles[name] = decoded[rbacv1.ClusterRole](t, manifest)
		case "ClusterRoleBinding":
			all.bindings[name] = decoded[rbacv1.ClusterRoleBinding](t, manifest)
		default:
			t.Errorf("the kind %q is not checked", head.Kind)
		}
		if head.Metadata.Namespace != "" {
			t.Errorf("%s %s: the namespace is %q, and the objects go to that of the app", head.Kind, name, head.Metadata.Namespace)
		}
	}
	return all
}

// decode reads a manifest strictly: a misspelt field is an error.
func decode(t *testing.T, manifest string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(manifest), into); err != nil {
		t.Fatal(err)
	}
}

func decoded[T any](t *testing.T, manifest string) T {
	t.Helper()
	var object T
	decode(t, manifest, &object)
	return object
}

func secretKeysExist(t *testing.T, c corev1.Container, objects presetObjects) {
	t.Helper()
	for _, variable := range c.Env {
		if variable.ValueFrom == nil || variable.ValueFrom.SecretKeyRef == nil {
			continue
		}
		ref := variable.ValueFrom.SecretKeyRef
		if _, exists := objects.secrets[ref.Name].StringData[ref.Key]; !exists {
			t.Errorf("%s: %s needs the key %s of the Secret %s", c.Name, variable.Name, ref.Key, ref.Name)
		}
	}
}

// configFilesExist checks that the arguments of a container that name a file in a mounted ConfigMap name one that it
// has.
func configFilesExist(t *testing.T, c corev1.Container, volumes []corev1.Volume, objects presetObjects) {
	t.Helper()
	for _, mount := range c.VolumeMounts {
		at := slices.IndexFunc(volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		if at < 0 || volumes[at].ConfigMap == nil {
			continue
		}
		files := objects.configMaps[volumes[at].ConfigMap.Name].Data
		named := 0
		for _, arg := range slices.Concat(c.Command, c.Args) {
			_, file, isIn := strings.Cut(arg, mount.MountPath+"/")
			if !isIn {
				continue
			}
			named++
			if _, exists := files[file]; !exists {
				t.Errorf("%s: %s is not in the ConfigMap, which has %v", c.Name, arg, slices.Sorted(maps.Keys(files)))
			}
		}
		if named == 0 {
			t.Errorf("%s: no argument names a file in %s", c.Name, mount.MountPath)
		}
	}
}

func probesHavePorts(t *testing.T, c corev1.Container) {
	t.Helper()
	for _, probe := range []*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
		if probe == nil {
			continue
		}
		isProbed := func(p corev1.ContainerPort) bool { return p.ContainerPort == probe.HTTPGet.Port.IntVal }
		if !slices.ContainsFunc(c.Ports, isProbed) {
			t.Errorf("%s: the port %v of a probe is not declared", c.Name, probe.HTTPGet.Port)
		}
	}
}

// pointsTo checks that a Service selects the app and points to a port of the sidecar, not of the app.
func pointsTo(t *testing.T, service corev1.Service, app appsv1.Deployment) {
	t.Helper()
	for label, value := range service.Spec.Selector {
		if app.Spec.Template.Labels[label] != value {
			t.Errorf("the Service %s does not select the app by %s", service.Name, label)
		}
	}
	for _, port := range service.Spec.Ports {
		isTarget := func(p corev1.ContainerPort) bool { return p.Name == port.TargetPort.StrVal }
		for i, c := range app.Spec.Template.Spec.Containers {
			if hasTarget := slices.ContainsFunc(c.Ports, isTarget); hasTarget != (i == 1) {
				t.Errorf("the target %s of the Service is a port of %s: %t", port.TargetPort.StrVal, c.Name, hasTarget)
			}
		}
	}
}

// bindingsFit checks that roles exist, and that the accounts in the namespace of the app are its own.
func bindingsFit(t *testing.T, app appsv1.Deployment, objects presetObjects) {
	t.Helper()
	account := app.Spec.Template.Spec.ServiceAccountName
	for name := range objects.accounts {
		if name != account {
			t.Errorf("the ServiceAccount is %s, and the app has %s", name, account)
		}
	}
	for name, binding := range objects.bindings {
		if _, exists := objects.roles[binding.RoleRef.Name]; !exists {
			t.Errorf("%s: there is no ClusterRole %s", name, binding.RoleRef.Name)
		}
		for _, subject := range binding.Subjects {
			if subject.Namespace == app.Namespace && subject.Name != account {
				t.Errorf("%s: the account is %s, and the app has %s", name, subject.Name, account)
			}
		}
	}
}
