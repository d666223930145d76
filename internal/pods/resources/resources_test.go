package resources_test

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func document(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

// written returns amounts as people write them, in the order of their names.
func written(amounts resources.Amounts) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		all = append(all, name+" "+resources.Format(name, amounts[name]))
	}
	return strings.Join(all, ", ")
}

func TestWhatCountsOfOneContainer(t *testing.T) {
	for _, test := range []struct {
		claim, container string
		of               func(*node.Node) resources.Amounts
		want             string
	}{
		{"what is requested", "{requests: {cpu: 1}, limits: {cpu: 2}}", resources.Requests, "cpu 1"},
		{"a limit without a request is the request", "{requests: {cpu: 1}, " +
			"limits: {memory: 1Gi}}", resources.Requests, "cpu 1, memory 1Gi"},
		{"a request is no limit", "{requests: {cpu: 1}, limits: {memory: 1Gi}}", resources.Limits, "memory 1Gi"},
		{"what is no quantity does not count", "{requests: {cpu: much, " +
			"memory: 1Gi}}", resources.Requests, "memory 1Gi"},
		{"nothing is nothing", "{}", resources.Requests, ""},
	} {
		t.Run(test.claim, func(t *testing.T) {
			if got := written(test.of(document(t, "{resources: "+test.container+"}"))); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatThePodRequests(t *testing.T) {
	requests := func(name, amount string) string {
		return "{name: " + name + ", resources: {requests: {cpu: " + amount + "}}}"
	}
	native := func(name, amount string) string {
		return "{name: " + name + ", restartPolicy: Always, resources: {requests: {cpu: " + amount + "}}}"
	}
	for _, test := range []struct{ claim, spec, want string }{
		{
			"containers run together",
			"containers: [" + requests("a", "1") + ", " + requests("b", "2") + "]",
			"cpu 3",
		},
		{
			"an init container ends before they start",
			"containers: [" + requests("a", "1") + "], initContainers: [" + requests("i", "500m") + "]",
			"cpu 1",
		},
		{
			"the largest init container counts if it is larger",
			"containers: [" + requests("a", "1") + "], " +
				"initContainers: [" + requests("i", "4") + ", " + requests("j", "2") + "]",
			"cpu 4",
		},
		{
			"a native sidecar runs beside the containers",
			"containers: [" + requests("a", "1") + "], initContainers: [" + native("n", "2") + "]",
			"cpu 3",
		},
		{
			"and beside the init containers after it, not before it",
			"containers: [" + requests("a", "1") + "], " +
				"initContainers: [" + requests("i", "4") + ", " + native("n", "2") + ", " + requests("j", "3") + "]",
			"cpu 5",
		},
		{
			"an init container alone requests what it needs",
			"containers: [], initContainers: [{name: i, resources: {requests: {memory: 1Gi}}}]",
			"memory 1Gi",
		},
		{
			"resources of the pod itself count instead",
			"resources: {requests: {cpu: 10}}, containers: [" + requests("a", "1") + "]",
			"cpu 10",
		},
		{
			"its limit is its request if no container requests the resource",
			"resources: {limits: {cpu: 10, memory: 1Gi}}, containers: [" + requests("a", "1") + "]",
			"cpu 1, memory 1Gi",
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			if got := written(resources.Requested(document(t, "{"+test.spec+"}"))); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatLimitsThePod(t *testing.T) {
	const containers = "containers: [{name: a, resources: {requests: {memory: 1Gi}, limits: {cpu: 1}}}, {name: b, " +
		"resources: {limits: {cpu: 2}}}]"
	for _, test := range []struct{ claim, spec, want string }{
		{"the limits of its containers", containers, "cpu 3"},
		{"its own limit instead", "resources: {limits: {cpu: 10}}, " + containers, "cpu 10"},
		{"its own request does not", "resources: {requests: {memory: 1Gi}}, " + containers, "cpu 3"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			if got := written(resources.Limited(document(t, "{"+test.spec+"}"))); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAmountsAreThoseOfTheAPIServer(t *testing.T) {
	for text, want := range map[string]string{
		"1":         "1",
		"'0.5'":     "1/2",
		"500m":      "1/2",
		"1Ki":       "1024",
		"'0.0001'":  "1/1000", // rounded up to thousandths
		"1100u":     "2/1000",
		"2m":        "2/1000",
		"'0'":       "0",
		"'-0.0001'": "-1/10000",
		"much":      "none",
		"''":        "none",
		"{}":        "none",
	} {
		amount, isQuantity := resources.Amount(document(t, text))
		if !isQuantity {
			amount = nil
		}
		wanted, _ := new(big.Rat).SetString(want)
		if (amount == nil) != (wanted == nil) || amount != nil && amount.Cmp(wanted) != 0 {
			t.Errorf("%s is %v, want %s", text, amount, want)
		}
	}
}

func TestEqualAmounts(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"500m", "'0.5'", true},
		{"1Gi", "1024Mi", true},
		{"1", "1", true},
		{"1", "2", false},
		{"much", "much", false},
		{"1", "much", false},
		{"much", "1", false},
	} {
		if got := resources.Equal(document(t, test.a), document(t, test.b)); got != test.want {
			t.Errorf("Equal(%s, %s) = %t", test.a, test.b, got)
		}
	}
}

func TestAmountsAreWrittenAsPeopleDo(t *testing.T) {
	for _, test := range []struct{ name, amount, want string }{
		{"cpu", "1/2", "500m"},
		{"cpu", "2", "2"},
		{"memory", "1073741824", "1Gi"},
		{"memory", "1000", "1k"},
		{"memory", "1001", "1001"},
		{"memory", "3/2", "1500m"},
		{"nvidia.com/gpu", "3", "3"},
		{"cpu", "9223372036854775807", "9223372036854775807"}, // more than the API server's type holds
		{"cpu", "18446744073709551615/2", "9223372036854775807.5"},
	} {
		amount, _ := new(big.Rat).SetString(test.amount)
		if got := resources.Format(test.name, amount); got != test.want {
			t.Errorf("%s of %s is written as %s, want %s", test.amount, test.name, got, test.want)
		}
	}
}

func TestWhatIsThereIsReadAndWhatIsNotIsZero(t *testing.T) {
	amounts := resources.Read(document(t, "{resources: {limits: {cpu: 2}}}"), "limits")
	if amounts.Of("cpu").Cmp(big.NewRat(2, 1)) != 0 || amounts.Of("memory").Sign() != 0 {
		t.Errorf("got %v", amounts)
	}
	if !resources.IsHugePages("hugepages-2Mi") || resources.IsHugePages("memory") {
		t.Error("huge pages are not known by their name")
	}
}
