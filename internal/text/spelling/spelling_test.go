package spelling

import "testing"

func TestIsMisspelt(t *testing.T) {
	fields := []string{"imagePullPolicy", "tty", "env"}
	for word, want := range map[string]bool{
		"imagePullPolcy": true, "imagepullpolicy": true, "imagePulPolcy": true, "imagePlPlcy": false,
		"ttyy": true, "tt": true, "tpm": false, "envFile": false, "zebra": false,
	} {
		if got := IsMisspelt(word, fields); got != want {
			t.Errorf("IsMisspelt(%q) is %v", word, got)
		}
	}
}
