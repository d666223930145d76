package manifest

import (
	"strings"
	"testing"
)

func TestReadRefusesListsWhoseObjectsItCannotReach(t *testing.T) {
	const pod = "{apiVersion: v1, kind: Pod}"
	const resourceList = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	for claim, c := range map[string]struct{ text, want string }{
		"items by an alias": {
			"kind: List\nmetadata: {x: &i [" + pod + "]}\nitems: *i\n",
			"line 3: the items of the List are an alias",
		},
		"items by an alias in braces": {
			"{kind: List, metadata: {x: &i [" + pod + "]}, items: *i}\n",
			"the items of the List are an alias",
		},
		"items by a merge key": {
			"kind: List\n<<: {items: [" + pod + "]}\n",
			"the key items of the List that begins here is given by a merge key",
		},
		"items by a merge key in braces": {"{kind: List, <<: {items: [" + pod + "]}}\n", "is given by a merge key"},
		"items of a typed list by an alias": {
			"kind: PodList\nmetadata: {x: &i [{}]}\nitems: *i\n",
			"the items of the PodList are an alias",
		},
		"items of a typed list by a merge key":   {"kind: PodList\n<<: {items: [{}]}\n", "is given by a merge key"},
		"items of a ResourceList by an alias":    {resourceList + "x: &i []\nitems: *i\n", "the items of the ResourceList are an alias"},
		"items of a ResourceList by a merge key": {resourceList + "<<: {items: [" + pod + "]}\n", "is given by a merge key"},
		"items behind an anchor on a line of its own": {
			"kind: List\nitems:\n &x\n- " + pod + "\n",
			"line 4: the List cannot be split, because it is written in a way that cannot be followed: " +
				"this line has an indentation that is rarely used",
		},
		"items of a list in a list": {
			"kind: List\nitems:\n- kind: List\n  x: &i [" + pod + "]\n  items: *i\n",
			"line 5: the items of the List are an alias",
		},
		"items of another kind by an alias": {"kind: Basket\nx: &i [{}]\nitems: *i\n", "the items of the Basket are an alias"},
		"items of a config by an alias": {
			"apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nx: &i [{}]\nitems: *i\n",
			"the items of the SidecarInjectorList are an alias",
		},
		"items of a list by a merge key too": {
			"kind: List\nitems: []\n<<: {items: [" + pod + "]}\n", `line 3: the key "items" is there twice`,
		},
		"an item of a typed list that is null":    {"kind: PodList\nitems: [null]\n", "this item is null"},
		"items that are an object":                {"kind: List\nitems: " + pod + "\n", "the items of the List are a mapping"},
		"an object of a typed list by an alias":   {"kind: PodList\nx: &i {}\nitems: [*i]\n", "line 3: this item is an alias"},
		"an object of a typed list behind a dash": {"kind: PodList\nx: &i {}\nitems:\n- *i\n- {}\n", "line 4: this item is an alias"},
		"an object of a typed list beside null":   {"kind: PodList\nitems: [null, {}]\n", "this item is null"},
		"a functionConfig by an alias":            {resourceList + "x: &i {}\nfunctionConfig: *i\n", "functionConfig is an alias"},
		"a functionConfig by a merge key": {
			resourceList + "<<: {functionConfig: {}}\n",
			"the key functionConfig of the ResourceList that begins here is given by a merge key",
		},
		"results by a merge key": {resourceList + "<<: {results: []}\n", "the key results of the ResourceList"},
	} {
		t.Run(claim, func(t *testing.T) {
			if _, err := Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// kubectl takes each of these objects for a list.
func TestAnObjectThatHidesOthersInItsItemsIsBroken(t *testing.T) {
	const kubectl = "kubectl reads an object with items as a list"
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: web}}"
	for claim, c := range map[string]struct{ text, want string }{
		"a workload": {
			"apiVersion: apps/v1\nkind: Deployment\nitems: [" + pod + ", " + pod + "]\n",
			"line 1: " + kubectl + ": it applies what is in the items of this Deployment, and not the Deployment itself",
		},
		"another kind":          {"kind: Definition\nitems:\n- kind: Pod\n  metadata:\n    name: web\n", kubectl},
		"JSON":                  {`{"kind": "Basket", "items": [{"kind": "Pod", "metadata": {"name": "web"}}]}`, kubectl},
		"an inherited kind":     {"kind: Deployment\nitems: [{metadata: {name: web}}]\n", "the items of this Deployment"},
		"an entry of a list":    {"kind: List\nitems:\n- kind: Service\n  items: [" + pod + "]\n", "line 3: " + kubectl},
		"no kind":               {"items: [" + pod + "]\n", "the items of this object"},
		"a config":              {"apiVersion: pillion.dev/v1\nkind: SidecarInjectorList\nitems: [{}, " + pod + "]\n", "the items of"},
		"a config in a config":  {"apiVersion: pillion.dev/v1\nkind: InjectorList\nitems: [{items: [" + pod + "]}]\n", "of this InjectorList"},
		"an unclear kind":       {"kind: &k Basket\nitems: [" + pod + "]\n", kubectl},
		"an unclear entry":      {"kind: Basket\nitems:\n- kind: &k Pod\n  metadata: {name: web}\n", kubectl},
		"an entry that is null": {"kind: Pod\nitems: [null]\n", "the items of this Pod"},
		"items twice":           {"kind: Basket\nitems: null\nitems: [" + pod + "]\n", `line 3: the key "items" is there twice`},
		"items by a merge key":  {"kind: Basket\nitems:\n<<: {items: [" + pod + "]}\n", `line 3: the key "items" is there twice`},
		"kind by a merge key":   {"kind: Basket\n<<: {kind: Pod}\n", `line 2: the key "kind" is there twice`},
		"items by an alias":     {"kind: List\nx: &i items\n*i : [" + pod + "]\n", "line 3: the key *i is an alias"},
		"an encoded key":        {"!!binary a2luZA==: Pod\n", `the key a2luZA== is "kind" to kubectl`},
	} {
		t.Run(claim, func(t *testing.T) {
			s, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if broken := s.Items[0].Broken; broken == nil || !strings.Contains(broken.Error(), c.want) {
				t.Errorf("got %v, want %q", broken, c.want)
			}
		})
	}
}

func TestReadLeavesListsOfOtherThingsAlone(t *testing.T) {
	for _, text := range []string{
		"kind: AllowList\nx: &i [a]\nitems: *i\n", "kind: AllowList\n<<: {items: [a]}\n", "kind: AllowList\nx: &i a\nitems: [*i]\n",
		"kind: List\nitems: null\n", "kind: Basket\nitems: [a, b]\n", "kind: Basket\nitems: {a: b}\n", "kind: Pod\nitems: []\n",
		"apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems: [{}, {apiVersion: pillion.dev/v1alpha1}]\n",
	} {
		if s, err := Read([]byte(text)); err != nil || len(s.Items) != 1 || s.Items[0].Broken != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAKindByAnAliasOrAMergeKeyIsRead(t *testing.T) {
	for _, text := range []string{
		"x: &k List\nkind: *k\nitems: [{kind: Pod}]\n", "{x: &k List, kind: *k, items: [{kind: Pod}]}", "<<: {kind: List}\nitems:\n- kind: Pod\n",
		"kind: List\nitems:\n- x: &k Pod\n  kind: *k\n", "kind: List\nitems: [{<<: {kind: Pod}}]\n",
		"kind: List\nitems: [{kind: !!binary UG9k}]\n",
	} {
		if s, err := Read([]byte(text)); err != nil || len(s.Items) != 1 || s.Items[0].Kind != "Pod" {
			t.Errorf("%q: %v", text, err)
		}
		compareLong(t, []byte(text))
	}
	for _, text := range []string{"x: &k kind\n*k : Pod\n", "{x: &k kind, *k : Pod}", "kind: List\nitems:\n- x: &k kind\n  *k : Pod\n"} {
		if s, err := Read([]byte(text)); err != nil || s.Items[0].Broken == nil || !strings.Contains(s.Items[0].Broken.Error(),
			"the key *k is an alias") {
			t.Errorf("%q: it is not broken: %v", text, err)
		}
	}
}

// The API server gives the entries of a typed list their kind where they have neither that nor an apiVersion. What is
// no string is neither.
func TestTypedListsNameTheirEntries(t *testing.T) {
	for _, value := range []string{"null", "Null", "NULL", "~", `""`, "''", "5", "true", "yes", "n", "{}", "[]", "1.5"} {
		for _, key := range []string{"kind", "apiVersion"} {
			for _, text := range []string{
				"apiVersion: v1\nkind: PodList\nitems: [{" + key + ": " + value + ", spec: {}}]\n",
				"apiVersion: v1\nkind: PodList\nitems:\n- " + key + ": " + value + "\n  spec: {}\n",
				"{apiVersion: v1, kind: PodList, items: [{" + key + ": " + value + "}]}",
			} {
				s, err := Read([]byte(text))
				if err != nil || len(s.Items) != 1 || s.Items[0].Kind != "Pod" || s.Items[0].APIVersion != "v1" {
					t.Errorf("%q: it is not a Pod: %v", text, err)
				}
				compareLong(t, []byte(text))
			}
		}
	}
}
