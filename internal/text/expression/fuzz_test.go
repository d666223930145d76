package expression_test

import (
	"errors"
	"math/big"
	"testing"

	"pillion.dev/pillion/internal/text/expression"
)

// FuzzParse holds the parser to its word: it ends, an error has a place inside of the text, and
// what it took can be computed, alike each time.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"max(cpu*10%, 50m)", "min(cpu/4,1.5Gi)-(2+.5)", "--1e-3", "1E", "cpu cpu", "((", "1/0", "ö"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := expression.Parse(text, "cpu")
		if err != nil {
			var syntax *expression.SyntaxError
			if !errors.As(err, &syntax) || syntax.Character < 1 || syntax.Character > len(text)+1 {
				t.Fatalf("%q gives %v", text, err)
			}
			return
		}
		variable := big.NewRat(3, 7)
		first, err := e.Evaluate(variable)
		second, again := e.Evaluate(variable)
		if (err == nil) != (again == nil) || err == nil && first.Cmp(second) != 0 || variable.Cmp(big.NewRat(3, 7)) != 0 {
			t.Fatalf("%q is %v and then %v", text, first, second)
		}
		if err == nil {
			_, _ = expression.CPU(first)
			_, _ = expression.Memory(first)
		}
	})
}
