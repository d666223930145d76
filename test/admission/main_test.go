package admission

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain runs the tests with more memory and less garbage collection, which takes a quarter of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
