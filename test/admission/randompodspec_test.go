package admission

// podSpecLists sets lists of the pod spec, with entries that are those of the configs, or have their keys.
func (r maker) podSpecLists(spec map[string]any) {
	type object = map[string]any
	r.optional(spec, "hostAliases", r.shuffled(
		object{"ip": "10.0.0.1", "hostnames": []any{"own.local"}},
		object{"ip": "10.0.0.1", "hostnames": []any{"b.local", "own.local"}},
		object{"ip": "10.0.0.2"}, object{"ip": "10.0.0.2", "hostnames": []any{}},
		object{"ip": "::1", "hostnames": []any{"six.local"}}, object{"ip": "10.0.0.3", "hostnames": []any{"d.local"}},
	))
	r.optional(spec, "schedulingGates", r.shuffled(object{"name": "example.com/gate"}, object{"name": "example.com/own"}))
	r.optional(spec, "topologySpreadConstraints", r.shuffled(
		object{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"},
		object{"maxSkew": 5, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"},
		object{"maxSkew": 5, "topologyKey": "host", "whenUnsatisfiable": "DoNotSchedule"},
	))
	r.optional(spec, "resourceClaims", r.shuffled(
		object{"name": "gpu", "resourceClaimTemplateName": "own"}, object{"name": "own", "resourceClaimName": "own"}))
	r.optional(spec, "readinessGates", r.shuffled(object{"conditionType": "example.com/synced"}, object{"conditionType": "own"}))
	dns := object{}
	r.optional(dns, "nameservers", r.shuffled("10.0.0.10", "10.0.0.11"))
	r.optional(dns, "searches", r.shuffled("local", "own", "example.com"))
	r.optional(dns, "options", r.shuffled(object{"name": "ndots", "value": "5"}, object{"name": "edns0"}, object{"name": "rotate"}))
	r.optional(spec, "dnsConfig", dns)
	if context, hasContext := spec["securityContext"].(object); hasContext {
		r.optional(context, "supplementalGroups", r.shuffled(1, 2000, 3000))
		r.optional(context, "sysctls", r.shuffled(object{"name": "kernel.shm_rmid_forced", "value": "0"}, object{"name": "own", "value": "1"}))
		r.set(context, "seccompProfile", object{"type": "Localhost", "localhostProfile": "own"}, object{"type": "RuntimeDefault"})
	}
	r.optional(spec, "affinity", r.affinity())
}

func (r maker) affinity() map[string]any {
	type object = map[string]any
	affinity, nodes, apart := object{}, object{}, object{}
	r.set(nodes, "requiredDuringSchedulingIgnoredDuringExecution", object{"nodeSelectorTerms": []any{
		object{"matchExpressions": []any{object{"key": "own", "operator": "Exists"}}},
	}})
	r.optional(nodes, "preferredDuringSchedulingIgnoredDuringExecution", r.shuffled(
		object{"weight": 1, "preference": object{"matchExpressions": []any{
			object{"key": "arch", "operator": "In", "values": []any{"arm64", "amd64"}},
		}}},
		object{"weight": 1, "preference": object{"matchExpressions": []any{
			object{"key": "arch", "operator": "In", "values": []any{"amd64", "arm64"}},
		}}},
		object{"weight": 2, "preference": object{"matchFields": []any{
			object{"key": "metadata.name", "operator": "NotIn", "values": []any{"old"}},
		}}},
	))
	r.optional(affinity, "nodeAffinity", nodes)
	web := object{"matchLabels": object{"app": "web"}}
	r.optional(apart, "requiredDuringSchedulingIgnoredDuringExecution", r.shuffled(
		object{"topologyKey": "host", "labelSelector": web}, object{"topologyKey": "zone", "labelSelector": web},
		object{"topologyKey": "host", "labelSelector": web, "namespaces": []any{"shop"}},
		object{"topologyKey": "host", "namespaces": []any{"shop"}, "namespaceSelector": object{}, "labelSelector": object{}},
	))
	r.optional(apart, "preferredDuringSchedulingIgnoredDuringExecution", r.shuffled(
		object{"weight": 5, "podAffinityTerm": object{
			"topologyKey": "zone", "matchLabelKeys": []any{"app"},
			"labelSelector": object{"matchExpressions": []any{object{"key": "tier", "operator": "Exists"}}},
		}},
		object{"weight": 6, "podAffinityTerm": object{"topologyKey": "zone", "labelSelector": web}},
	))
	r.optional(affinity, "podAntiAffinity", apart)
	return affinity
}

// shuffled returns some of the entries in any order.
func (r maker) shuffled(entries ...any) []any {
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return r.some(entries...)
}
