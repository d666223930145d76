package admission

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
)

// addVolumes adds the payload's volumes behind the pod's own, and in front of the one for the token of the ServiceAccount, which the API
// server adds before policies run: in a manifest that has the sidecar, it comes last.
func (c *compiler) addVolumes() {
	added := c.addMissing("volumes", "the volumes to add", func(in *compiled) []injector.Entry { return in.Volumes })
	if added == "" {
		return
	}
	at := c.add("volumes_at", "behind the app's volumes, in front of that of the ServiceAccount",
		first("variables.volumes", `n.startsWith("`+pod.TokenVolume+`")`))
	c.replaceVolumes()
	c.create(".spec.?volumes", "/spec/volumes", "[]", "size("+added+") > 0")
	c.operate("the volumes", `%s.transformList(i, v, JSONPatch{op: "add", path: "/spec/volumes/" + string(%s + i), value: v})`, added, at)
}

// replaceVolumes replaces volumes of the pod in their place, before others are added in front of them.
func (c *compiler) replaceVolumes() {
	for i := range c.injectors {
		in := &c.injectors[i]
		if in.Spec.OnConflict.Volume != v1alpha1.ConflictReplace {
			continue
		}
		for _, volume := range in.Volumes {
			name := quote(volume.Name)
			c.operate(fmt.Sprintf("the volume %s of %s in place of the pod's", volume.Name, in.Name),
				"(!%[1]s || %[2]s || !(%[3]s in variables.volumes) ? [] :\n"+
					"  [JSONPatch{op: \"replace\", path: \"/spec/volumes/\" + string(variables.volumes.indexOf(%[3]s)), value: %[4]s}])",
				in.selected, isStamped(in), name, literal(volume.Body))
		}
	}
}

// addPullSecrets adds the payload's imagePullSecrets behind the pod's own.
func (c *compiler) addPullSecrets() {
	added := c.addMissing("imagePullSecrets", "the imagePullSecrets to add",
		func(in *compiled) []injector.Entry { return in.ImagePullSecrets })
	if added == "" {
		return
	}
	c.create(".spec.?imagePullSecrets", "/spec/imagePullSecrets", "[]", "size("+added+") > 0")
	c.operate("the imagePullSecrets", `%s.map(s, JSONPatch{op: "add", path: "/spec/imagePullSecrets/-", value: s})`, added)
}

// addMissing adds a variable with the entries of a list of the pod spec that injectors want and the pod does not have, and returns it, or
// "" if no injector has any.
func (c *compiler) addMissing(list, comment string, entriesOf func(*compiled) []injector.Entry) string {
	var parts []string
	lengths := sizes{}
	before := map[string][]string{} // the injectors that add a name before
	for i := range c.injectors {
		in := &c.injectors[i]
		for n, entry := range entriesOf(in) {
			c.from(in, fmt.Sprintf("%s[%d]", list, n))
			conditions := []string{in.selected, fmt.Sprintf("!(%s in variables.%s)", quote(entry.Name), list)}
			for _, selected := range before[entry.Name] {
				conditions = append(conditions, "!"+selected)
			}
			before[entry.Name] = append(before[entry.Name], in.selected)
			parts = append(parts, fmt.Sprintf("(%s ? [%s] : [])", all(conditions), literal(entry.Body)))
			lengths[c.source] += len(parts[len(parts)-1])
		}
	}
	if len(parts) == 0 {
		return ""
	}
	c.source = lengths.largest()
	c.add(list, "the names in "+list+" of the pod", fmt.Sprintf("object.spec.?%s.orValue([]).map(e, e.?name.orValue(\"\"))", list))
	return c.add("added_"+list, comment, chain(parts))
}

// tokenPath is where the API server mounts the token of the ServiceAccount.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"
