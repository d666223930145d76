package payload

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestAddsFindsEntriesByTheirContent(t *testing.T) {
	entry := func(text string) *yaml.Node {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		return document.Content[0]
	}
	b := &Origins{appEntries: map[string]int{}}
	b.appEntries[appEntryKey(entry("{name: A, value: x}"), false)] = 1
	b.appEntries[appEntryKey(entry("{name: A, value: y}"), false)] = 3
	b.appEntries[appEntryKey(entry("{name: B, value: '${workload.name}'}"), true)] = 2
	for _, test := range []struct {
		text string
		turn int
		want bool
	}{
		{"{value: 'x', name: A}", 1, true},
		{"{name: A, value: x}", 2, false},
		{"{name: A, value: y}", 2, true},
		{"{name: A, value: z}", 0, false},
		{"{name: B, value: web}", 2, true},
		{"{name: B, value: web}", 3, false},
		{"{name: B, mountPath: /b}", 0, false},
	} {
		if got := b.adds("app", entry(test.text), test.turn); got != test.want {
			t.Errorf("adds(%s, %d) is %t", test.text, test.turn, got)
		}
	}
}
