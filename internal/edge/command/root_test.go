package command

import "testing"

func TestOnlyTheCommandThatRunsIsCreated(t *testing.T) {
	for _, cmd := range New().Commands() {
		root := newRoot()
		addCommands(root, []string{cmd.Name(), "--help"})
		for _, created := range root.Commands() {
			if cmd.Name() != "help" && created.Name() != cmd.Name() && created.Name() != "help" {
				t.Errorf("pillion %s also creates %s", cmd.Name(), created.Name())
			}
		}
		if found, _, err := root.Find([]string{cmd.Name()}); err != nil || found.Name() != cmd.Name() {
			t.Errorf("pillion %s runs %s (%v)", cmd.Name(), found.Name(), err)
		}
	}
}
