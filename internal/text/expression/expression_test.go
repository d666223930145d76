package expression_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/internal/text/expression"
)

func TestExpressionsAreComputedExactly(t *testing.T) {
	for _, test := range []struct{ text, variable, want string }{
		{"cpu", "250m", "250m"},
		{"max(cpu*10%, 50m)", "250m", "50m"},
		{"max(cpu*10%, 50m)", "2", "200m"},
		{"min(cpu, 100m, 20m)", "250m", "20m"},
		{"1 + 2 * 3", "0", "7"},
		{"(1 + 2) * 3", "0", "9"},
		{"10 - 2 - 3", "0", "5"},
		{"8 / 2 / 2", "0", "2"},
		{"-cpu + 1", "250m", "750m"},
		{"--1", "0", "1"},
		{"cpu/3", "1", "334m"},
		{"cpu*0.1", "1", "100m"},
		{"1e-3 * 5", "0", "5m"},
		{".5 + 1.", "0", "1500m"},
		{"12.5%", "0", "125m"},
		{"cpu\n*\t2", "1", "2"},
		{"1u", "0", "1m"},
	} {
		e, err := expression.Parse(test.text, "cpu")
		if err != nil {
			t.Errorf("%s: %s", test.text, err)
			continue
		}
		got, err := e.Evaluate(amount(t, test.variable))
		if err != nil {
			t.Errorf("%s: %s", test.text, err)
			continue
		}
		if text, err := expression.CPU(got); err != nil || text != test.want {
			t.Errorf("%s for cpu %s is %s (%v), want %s", test.text, test.variable, text, err, test.want)
		}
	}
}

func TestMemoryIsInWholeBytesAndCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"memory/4":            "64Mi",
		"memory/7":            "38347923",
		"max(memory*50%,1Gi)": "1Gi",
		"64Mi + 1":            "67108865",
		"1001":                "1001",
		"1000000":             "1000000",
	} {
		e, err := expression.Parse(text, "memory")
		if err != nil {
			t.Fatalf("%s: %s", text, err)
		}
		value, err := e.Evaluate(amount(t, "256Mi"))
		if err != nil {
			t.Fatalf("%s: %s", text, err)
		}
		if got, err := expression.Memory(value); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
}

func TestBadExpressionsSayWhereAndWhatWasExpected(t *testing.T) {
	for text, want := range map[string]string{
		"":                  `at character 1: expected a number, a quantity, cpu, min(), max() or "(", found the end`,
		"cpu *":             `at character 6: expected a number, a quantity, cpu, min(), max() or "(", found the end`,
		"cpu cpu":           `at character 5: expected an operator (+ - * /) or the end, found "cpu"`,
		"memory*2":          `at character 1: expected a number, a quantity, cpu, min(), max() or "(", found "memory"`,
		"max(cpu, 50m":      `at character 13: expected an operator (+ - * /), "," or ")", found the end`,
		"max cpu":           `at character 5: expected "(" after max, found "cpu"`,
		"(cpu":              `at character 5: expected an operator (+ - * /) or ")", found the end`,
		"cpu)":              `at character 4: expected an operator (+ - * /) or the end, found ")"`,
		"50mm":              `at character 1: "mm" is not a unit; write one of n u m k M G T P E Ki Mi Gi Ti Pi Ei, or * before a name`,
		"2cpu":              `at character 1: "cpu" is not a unit; write one of n u m k M G T P E Ki Mi Gi Ti Pi Ei, or * before a name`,
		"50 %":              `at character 4: expected an operator (+ - * /) or the end, found "%"`,
		"50m%":              `at character 4: expected an operator (+ - * /) or the end, found "%"`,
		"1e100":             `at character 1: the exponent of 1e100 is out of bounds; the most is 99`,
		"cpu*.":             `at character 5: expected digits`,
		"max()":             `at character 5: expected a number, a quantity, cpu, min(), max() or "(", found ")"`,
		"öcpu":              `at character 1: expected a number, a quantity, cpu, min(), max() or "(", found "ö"`,
		"cpu ö":             `at character 5: expected an operator (+ - * /) or the end, found "ö"`,
		"max(1,2)ö*x":       `at character 9: expected an operator (+ - * /) or the end, found "ö"`,
		"cpu^2":             `at character 4: expected an operator (+ - * /) or the end, found "^"`,
		"0x10":              `at character 1: "x" is not a unit; write one of n u m k M G T P E Ki Mi Gi Ti Pi Ei, or * before a name`,
		deep("(", "1", ")"): `at character 33: it is nested more than 32 deep`,
		deep("-", "1", ""):  `at character 33: it is nested more than 32 deep`,
		longer("1+", "1"):   `at character 257: the expression is 401 bytes long; the most is 256`,
	} {
		if _, err := expression.Parse(text, "cpu"); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestDivisionByZeroIsAnErrorWhenItHappens(t *testing.T) {
	e, err := expression.Parse("max(1/cpu, 2)", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Evaluate(amount(t, "0")); !errors.Is(err, expression.ErrDivisionByZero) {
		t.Errorf("1/0 gives %v", err)
	}
	if got, err := e.Evaluate(amount(t, "100m")); err != nil || got.Cmp(big.NewRat(10, 1)) != 0 {
		t.Errorf("1/100m is %v (%v)", got, err)
	}
}

func TestAnAmountTooLargeIsAnError(t *testing.T) {
	if got, err := expression.CPU(amount(t, "10E")); err == nil {
		t.Errorf("10E CPUs are %s", got)
	}
	if got, err := expression.Memory(amount(t, "1e30")); err == nil {
		t.Errorf("1e30 bytes are %s", got)
	}
}

func TestQuantitiesAreKubernetesOwn(t *testing.T) {
	for _, text := range []string{
		"0", "1", "+5", "-5", "100m", "0.5", ".5", "5.", "1.5Gi", "64Mi", "1e3", "1E3", "2e-3", "1E", "3n",
		"7u", "9k", "1Ti", "2P",
	} {
		ours := amount(t, text)
		theirs := resource.MustParse(text)
		want, _ := new(big.Rat).SetString(theirs.AsDec().String())
		if ours.Cmp(want) != 0 {
			t.Errorf("%s is %s, and %s to Kubernetes", text, ours, want)
		}
	}
	for _, text := range []string{
		"", "m", "1 m", "--1", "+-1", "1mm", "50%", "cpu", "1e999999999", "1/2", "0x10", "1_000",
		strings.Repeat("1", 300),
	} {
		if got, err := expression.Quantity(text); err == nil {
			t.Errorf("%q is the quantity %s", text, got)
		}
	}
}

func TestALongTextIsNoQuantityAndIsNotRepeated(t *testing.T) {
	const most = 100
	for _, text := range []string{
		strings.Repeat("1", 1<<20), "0." + strings.Repeat("1", 1<<20),
		strings.Repeat("1", expression.MaxBytes+1) + "Mi",
	} {
		_, err := expression.Quantity(text)
		if err == nil {
			t.Fatalf("a text of %d bytes is a quantity", len(text))
		}
		if len(err.Error()) > most {
			t.Errorf("the error for a text of %d bytes has %d bytes", len(text), len(err.Error()))
		}
	}
}

func amount(t *testing.T, text string) *big.Rat {
	t.Helper()
	value, err := expression.Quantity(text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func deep(open, core, end string) string {
	return strings.Repeat(open, expression.MaxDepth) + core + strings.Repeat(end, expression.MaxDepth)
}

func longer(piece, last string) string { return strings.Repeat(piece, 200) + last }
