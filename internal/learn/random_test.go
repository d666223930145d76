package learn_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
)

type object = map[string]any

func textOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// maker makes random injectors and pods. The same seed makes the same ones.
type maker struct{ *rand.Rand }

func (r maker) pick(choices ...string) string { return choices[r.Intn(len(choices))] }

func (r maker) is(percent int) bool { return r.Intn(100) < percent }

// some returns a few of the choices, at least one, in their order.
func (r maker) some(choices ...string) (all []string) {
	for _, choice := range choices {
		if r.is(50) {
			all = append(all, choice)
		}
	}
	if len(all) == 0 {
		all = []string{r.pick(choices...)}
	}
	return all
}

func (r maker) fleet(size int) (pods []object) {
	for i := range size {
		name := fmt.Sprintf("%s-%s-%d", r.pick("shop", "mail", "tax"), r.pick("api", "web", "job"), i)
		labels := object{"app": name, "team": r.pick("red", "green", "blue"), "tier": r.pick("web", "db", "cache")}
		if r.is(30) {
			labels["canary"] = r.pick("yes", "no")
		}
		annotations := object{"example.com/owner": r.pick("ann", "bob", "cleo")}
		spec := object{"containers": r.appContainers(name)}
		if r.is(40) {
			spec["initContainers"] = []any{object{"name": "migrate", "image": "migrate:" + r.pick("1", "2"), "env": r.ownEnv()}}
		}
		if r.is(60) {
			spec["volumes"] = []any{object{"name": "data", "emptyDir": object{}}}
		}
		if r.is(30) {
			spec["imagePullSecrets"] = []any{object{"name": "own-registry"}}
		}
		if r.is(30) {
			spec["nodeSelector"] = object{"disk": r.pick("ssd", "hdd")}
		}
		if r.is(20) {
			spec["terminationGracePeriodSeconds"] = 10 + r.Intn(50)
		}
		kind, version := "Deployment", "apps/v1"
		if r.is(25) {
			kind = "StatefulSet"
		}
		pods = append(pods, object{
			"apiVersion": version, "kind": kind,
			"metadata": object{"name": name, "namespace": r.pick("team-a", "team-b", "team-c")},
			"spec": object{
				"selector": object{"matchLabels": object{"app": name}},
				"template": object{"metadata": object{"labels": labels, "annotations": annotations}, "spec": spec},
			},
		})
	}
	return pods
}

func (r maker) appContainers(name string) (all []any) {
	for i, of := range []string{"app", "worker", "metrics"}[:1+r.Intn(3)] {
		c := object{
			"name": of, "image": fmt.Sprintf("registry.example.com/%s:%d", name, r.Intn(9)),
			"ports": []any{object{"containerPort": 8000 + 100*i + r.Intn(50)}},
			"resources": object{
				"requests": object{"cpu": r.pick("100m", "200m", "1"), "memory": r.pick("64Mi", "1Gi")},
			},
		}
		if env := r.ownEnv(); len(env) > 0 {
			c["env"] = env
		}
		all = append(all, c)
	}
	return all
}

func (r maker) ownEnv() (all []any) {
	for _, name := range r.some("HOST", "PORT", "DEBUG") {
		all = append(all, object{"name": name, "value": r.pick("a", "b", "8080", "true")})
	}
	return all
}

// template returns the pod template of a workload.
func template(workload object) object { return workload["spec"].(object)["template"].(object) }

func metadata(workload object, field string) object {
	return template(workload)["metadata"].(object)[field].(object)
}

func containers(workload object) []any {
	return template(workload)["spec"].(object)["containers"].([]any)
}

// sidecar returns a container with a few fields.
func (r maker) sidecar(name string, port int) object {
	c := object{"name": name, "image": "registry.example.com/" + name + ":" + r.pick("1", "2.0", "3-slim")}
	if r.is(60) {
		c["args"] = []any{"--level=" + r.pick("info", "debug"), "--pid=$(PID)", r.pick("serve", "run")}
	}
	if r.is(60) {
		c["env"] = []any{
			object{"name": "MODE", "value": r.pick("fast", "slow", "echo $${HOME}")},
			object{"name": "IP", "valueFrom": object{"fieldRef": object{"fieldPath": "status.podIP"}}},
		}
	}
	if r.is(50) {
		c["ports"] = []any{object{"containerPort": port, "name": "sidecar-" + name[:1]}}
	}
	if r.is(50) {
		c["resources"] = object{"requests": object{"cpu": r.pick("10m", "100m")}, "limits": object{"memory": r.pick("64Mi", "128Mi")}}
	}
	if r.is(40) {
		c["readinessProbe"] = object{"httpGet": object{"path": "/ready", "port": port}, "periodSeconds": 11 + r.Intn(9)}
	}
	if r.is(40) {
		c["securityContext"] = object{"runAsUser": 1000 + r.Intn(9), "readOnlyRootFilesystem": true}
	}
	if r.is(20) {
		c["imagePullPolicy"] = r.pick("Always", "Never")
	}
	return c
}

func add(spec object, list string, entries ...any) {
	all, _ := spec[list].([]any)
	spec[list] = append(all, entries...)
}

func (r maker) native(spec object, _ []object) { add(spec, "containers", r.sidecar("proxy", 15000)) }

func (r maker) plain(spec object, _ []object) {
	c := r.sidecar("logs", 15100)
	c["mode"] = "Container"
	add(spec, "containers", c)
}

func (r maker) initContainer(spec object, _ []object) {
	c := r.sidecar("setup", 15200)
	delete(c, "readinessProbe")
	add(spec, "initContainers", c)
}

func (r maker) position(spec object, pods []object) {
	switch r.Intn(5) {
	case 0:
		r.plain(spec, pods)
		spec["containers"].([]any)[0].(object)[r.pick("before", "after")] = "app"
	case 1:
		r.plain(spec, pods)
		spec["containers"].([]any)[0].(object)["podInjectPolicy"] = "BeforeAppContainer"
	case 2:
		r.native(spec, pods)
		spec["containers"].([]any)[0].(object)["podInjectPolicy"] = "AfterAppContainer"
	case 3:
		r.initContainer(spec, pods)
		spec["initContainers"].([]any)[0].(object)["podInjectPolicy"] = "BeforeAppContainer"
	default:
		r.native(spec, pods)
		spec["containers"].([]any)[0].(object)[r.pick("before", "after")] = "migrate"
	}
}

func (r maker) several(spec object, pods []object) {
	r.native(spec, pods)
	if r.is(70) {
		r.plain(spec, pods)
	}
	if r.is(70) {
		r.initContainer(spec, pods)
	}
	add(spec, "containers", r.sidecar("second", 15300))
}

func (r maker) volumes(spec object, pods []object) {
	r.native(spec, pods)
	var mounts []any
	for _, name := range r.some("conf", "certs", "run", "info") {
		source := map[string]any{
			"conf": object{"configMap": object{"name": "proxy-conf"}}, "certs": object{"secret": object{"secretName": "tls", "defaultMode": 288}},
			"run":  object{"emptyDir": object{"medium": "Memory"}},
			"info": object{"downwardAPI": object{"items": []any{object{"path": "labels", "fieldRef": object{"fieldPath": "metadata.labels"}}}}},
		}[name].(object)
		source["name"] = name
		add(spec, "volumes", source)
		mounts = append(mounts, object{"name": name, "mountPath": "/mnt/" + name})
	}
	spec["containers"].([]any)[0].(object)["volumeMounts"] = mounts
}

func (r maker) pullSecrets(spec object, _ []object) {
	for _, name := range r.some("registry", "mirror", "own-registry") {
		add(spec, "imagePullSecrets", object{"name": name})
	}
}

func (r maker) appEnv() (all []any) {
	for _, name := range r.some("PROXY", "TRACE", "NODE") {
		entry := object{"name": name, "value": r.pick("http://127.0.0.1:15001", "on", "$(HOST):1")}
		if name == "NODE" {
			entry = object{"name": name, "valueFrom": object{"fieldRef": object{"fieldPath": "spec.nodeName"}}}
		}
		all = append(all, entry)
	}
	return all
}

func (r maker) envInFront(spec object, _ []object) {
	add(spec, "appContainers", object{"env": r.appEnv()})
}

func (r maker) envBehind(spec object, _ []object) {
	add(spec, "appContainers", object{"env": r.appEnv(), "envPosition": "Append"})
}

func (r maker) envByName(spec object, _ []object) {
	add(spec, "appContainers", object{"containers": []any{"app"}, "env": r.appEnv()})
	if r.is(50) {
		add(spec, "appContainers", object{"containers": []any{"worker"}, "env": []any{object{"name": "ROLE", "value": "worker"}}})
	}
}

func (r maker) envOfInit(spec object, _ []object) {
	add(spec, "appContainers", object{"env": r.appEnv(), "includeInit": true})
}

func (r maker) envKept(spec object, _ []object) { r.ownEnvToo(spec, "Keep") }

func (r maker) envReplaced(spec object, _ []object) { r.ownEnvToo(spec, "Replace") }

// ownEnvToo adds a variable that some of the app's containers have, and one that none has.
func (r maker) ownEnvToo(spec object, policy string) {
	spec["onConflict"] = object{"env": policy}
	own := object{"name": r.pick("DEBUG", "PORT"), "value": "declared"}
	add(spec, "appContainers", object{"env": []any{own, object{"name": "PROXY", "value": "on"}}})
}

func (r maker) join(spec object, pods []object) {
	name, separator := "JAVA_TOOL_OPTIONS", " "
	if r.is(50) {
		name, separator = "PYTHONPATH", ":"
	}
	for _, p := range pods {
		for _, c := range containers(p) {
			if r.is(50) {
				add(c.(object), "env", object{"name": name, "value": r.pick("-Xmx1g", "/app/lib", "-Da=b"+separator+"-Dc=d")})
			}
		}
	}
	entry := object{"name": name, "value": r.pick("-javaagent:/agent.jar", "/agent/python"), "join": separator}
	if r.is(40) {
		entry["joinOrder"] = "Before"
	}
	add(spec, "appContainers", object{"env": []any{entry}})
}

func (r maker) envFrom(spec object, _ []object) {
	var all []any
	for _, name := range r.some("common", "proxy") {
		all = append(all, object{"configMapRef": object{"name": name}})
	}
	if r.is(50) {
		all = append(all, object{"prefix": "P_", "secretRef": object{"name": "keys", "optional": true}})
	}
	add(spec, "appContainers", object{"envFrom": all})
}

func (r maker) mounts(spec object, _ []object) {
	add(spec, "volumes", object{"name": "agent", "emptyDir": object{}})
	entry := object{"volumeMounts": []any{object{"name": "agent", "mountPath": "/agent", "readOnly": true}}}
	if r.is(30) {
		entry["containers"] = []any{"app"}
	}
	if r.is(30) {
		entry["includeInit"] = true
	}
	add(spec, "appContainers", entry)
}

func (r maker) labels(spec object, _ []object) {
	patch := object{"labels": object{"mesh": r.pick("on", "1.20"), "example.com/version": "v1"}}
	if r.is(50) {
		patch["labels"].(object)["canary"] = "injected"
		patch["patchPolicy"] = r.pick("Retain", "Overwrite")
	}
	add(spec, "patchPodMetadata", patch)
}

func (r maker) annotations(spec object, _ []object) {
	patch := object{"annotations": object{"prometheus.io/scrape": "true", "example.com/conf": `{"a": "` + r.pick("b", "c") + `"}`}}
	if r.is(50) {
		patch["annotations"].(object)["example.com/owner"] = "mesh"
		patch["patchPolicy"] = r.pick("Retain", "Overwrite")
	}
	add(spec, "patchPodMetadata", patch)
}

func (r maker) podSpec(spec object, _ []object) {
	fields := object{
		"serviceAccountName": "mesh", "priorityClassName": "high", "shareProcessNamespace": true, "terminationGracePeriodSeconds": 45,
		"nodeSelector":    object{"zone": "a", "disk": "ssd"},
		"securityContext": object{"fsGroup": 1337, "runAsNonRoot": true},
		"tolerations":     []any{object{"key": "mesh", "operator": "Exists"}, object{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}},
		"dnsConfig":       object{"searches": []any{"svc.local"}, "options": []any{object{"name": "ndots", "value": "2"}}},
		"hostAliases":     []any{object{"ip": "10.0.0.1", "hostnames": []any{"proxy.local"}}},
	}
	chosen := object{}
	for _, name := range r.some(slices.Sorted(maps.Keys(fields))...) {
		chosen[name] = fields[name]
	}
	spec["podSpec"] = chosen
}

// expression returns a text with variables that all pods have.
func (r maker) expression() string {
	return r.pick("${workload.name}", "${workload.namespace}", "http://${workload.name}.${workload.namespace}.svc:80/",
		"team-${pod.labels['team']}", "${pod.annotations['example.com/owner']}", "127.0.0.1:${container.port}", "${container.image}",
		"${pod.labels['canary']:-none}", "${workload.name}/${pod.labels['tier']}", "${workload.kind}")
}

func (r maker) variables(spec object, pods []object) {
	switch r.Intn(4) {
	case 0:
		r.plain(spec, pods)
		spec["containers"].([]any)[0].(object)["args"] = []any{"--name", r.expression(), "--other=" + r.expression()}
	case 1:
		r.native(spec, pods)
		spec["containers"].([]any)[0].(object)["env"] = []any{object{"name": "A", "value": r.expression()}, object{"name": "B", "value": "b"}}
	case 2:
		add(spec, "appContainers", object{"env": []any{object{"name": "SERVICE", "value": r.expression()}}})
	default:
		add(spec, "volumes", object{"name": "conf", "configMap": object{"name": "${workload.name}-conf"}})
		add(spec, "patchPodMetadata", object{"annotations": object{"example.com/what": r.expression()}})
	}
}

func (r maker) portVariable(spec object, pods []object) {
	r.plain(spec, pods)
	spec["containers"].([]any)[0].(object)["livenessProbe"] = object{"tcpSocket": object{"port": "${container.port}"}}
}

func (r maker) byLabel(spec object, pods []object) {
	r.native(spec, pods)
	spec["selector"] = object{"matchLabels": object{"team": "red"}}
}

func (r maker) byValues(spec object, pods []object) {
	r.native(spec, pods)
	spec["selector"] = object{"matchExpressions": []any{object{"key": "tier", "operator": "In", "values": []any{"web", "cache"}}}}
}

func (r maker) optIn(spec object, pods []object) {
	r.native(spec, pods)
	spec["policy"] = "Disabled"
	r.mark(spec, pods, "true")
}

func (r maker) optOut(spec object, pods []object) {
	r.native(spec, pods)
	r.mark(spec, pods, "false")
}

// mark sets the marker, or one of a name that an injector declares, in some of the pods.
func (r maker) mark(spec object, pods []object, value string) {
	key, field := "pillion.dev/inject", r.pick("labels", "annotations")
	if r.is(50) {
		key = "example.com/inject"
		spec["marker"] = key
	}
	for _, p := range pods {
		if r.is(50) {
			metadata(p, field)[key] = value
		}
	}
}

func (r maker) byNamespace(spec object, pods []object) {
	r.native(spec, pods)
	spec["namespaces"] = object{"include": []any{r.pick("team-a", "team-b")}}
}

func (r maker) byKind(spec object, pods []object) {
	r.native(spec, pods)
	spec["rules"] = []any{object{"apiGroups": []any{"apps"}, "apiVersions": []any{"v1"}, "resources": []any{"deployments"}}}
}

func (r maker) overrides(spec object, pods []object) {
	r.native(spec, pods)
	c := spec["containers"].([]any)[0].(object)
	c["resources"] = object{"requests": object{"cpu": "10m"}, "limits": object{"memory": "64Mi"}}
	paths := r.some("image", "resources.requests.cpu", "resources.limits.memory")
	c["allowOverride"] = paths
	for _, p := range pods {
		for _, path := range paths {
			if r.is(40) {
				metadata(p, "annotations")["pillion.dev/override.proxy."+path] = map[string]string{
					"image": "proxy:" + r.pick("7", "8"), "resources.requests.cpu": r.pick("20m", "1"), "resources.limits.memory": r.pick("1Gi", "96Mi"),
				}[path]
			}
		}
	}
}

// five adds four features that can be in one injector, and a condition if none of them is a sidecar.
func (r maker) five(spec object, pods []object) {
	all := []func(maker, object, []object){
		maker.volumes, maker.plain, maker.initContainer, maker.pullSecrets, maker.envInFront, maker.join, maker.mounts, maker.labels,
		maker.annotations, maker.podSpec, maker.envFrom,
	}
	for _, i := range r.Perm(len(all))[:4] {
		all[i](r, spec, pods)
	}
	if spec["containers"] == nil {
		r.optIn(spec, pods)
	}
}

func (r maker) ownMounts(pods []object) {
	for _, p := range pods {
		template(p)["spec"].(object)["volumes"] = []any{object{"name": "data", "emptyDir": object{}}}
		for _, c := range containers(p) {
			if r.is(60) {
				c.(object)["volumeMounts"] = []any{object{"name": "data", "mountPath": r.pick("/data", "/var/lib", "/tmp")}}
			}
		}
	}
}

func (r maker) shareVolumes(spec object, pods []object) {
	r.plain(spec, pods)
	r.ownMounts(pods)
	spec["containers"].([]any)[0].(object)["shareVolumePolicy"] = object{"type": "Enabled"}
}

func (r maker) transferEnv(spec object, pods []object) {
	r.plain(spec, pods)
	delete(spec["containers"].([]any)[0].(object), "env")
	spec["containers"].([]any)[0].(object)["transferEnv"] = []any{object{"sourceContainerName": "app"}}
}

func (r maker) resourcesPolicy(spec object, pods []object) {
	r.plain(spec, pods)
	c := spec["containers"].([]any)[0].(object)
	delete(c, "resources")
	c["resourcesPolicy"] = object{"resourcesExpr": object{"requests": object{"cpu": "max(cpu*10%, 50m)", "memory": "memory/4"}}}
}

func (r maker) mergeJSON(spec object, pods []object) {
	for _, p := range pods {
		if r.is(70) {
			metadata(p, "annotations")["example.com/conf"] = `{"own": "` + r.pick("a", "b", "c") + `"}`
		}
	}
	add(spec, "patchPodMetadata", object{"patchPolicy": "MergePatchJson", "annotations": object{"example.com/conf": `{"mesh": "on"}`}})
}

func (r maker) sameContainer(spec object, pods []object, policy string) {
	r.plain(spec, pods)
	spec["onConflict"] = object{"container": policy}
	for _, p := range pods {
		if r.is(50) {
			own := r.sidecar("logs", 15100)
			template(p)["spec"].(object)["containers"] = append(containers(p), own)
		}
	}
}

func (r maker) mergeContainer(spec object, pods []object) { r.sameContainer(spec, pods, "Merge") }

func (r maker) replaceContainer(spec object, pods []object) { r.sameContainer(spec, pods, "Replace") }
