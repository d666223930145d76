package expression

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
)

// maxExponent is far more than any pod needs.
const maxExponent = 99

// Quantity parses one of Kubernetes' quantities, such as 100m, 1.5Gi or 2e3.
func Quantity(text string) (*big.Rat, error) {
	if len(text) > MaxBytes { // because parsing takes more than linear time
		return nil, fmt.Errorf("a text of %d bytes is not a quantity such as 100m, 0.5 or 512Mi", len(text))
	}
	unsigned := strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-")
	length, value, err := quantity(unsigned)
	if err != "" || length != len(unsigned) || len(text)-length > 1 {
		return nil, fmt.Errorf("%q is not a quantity such as 100m, 0.5 or 512Mi", text)
	}
	if strings.HasPrefix(text, "-") {
		value.Neg(value)
	}
	return value, nil
}

// number parses a plain number, a percentage or a quantity.
func (p *parser) number() *term {
	length, value, err := quantity(p.text[p.at:])
	if err != "" {
		p.fail(p.at, "%s", err)
		return nil
	}
	ended := p.text[p.at+length-1]
	p.at += length
	if isDigit(ended) || ended == '.' {
		if p.at < len(p.text) && p.text[p.at] == '%' {
			p.at++
			value.Quo(value, big.NewRat(100, 1))
		}
	}
	return &term{literal: value}
}

// quantity parses the quantity at the beginning of a text. It returns its length and value, or a message.
func quantity(text string) (length int, value *big.Rat, message string) {
	end := span(text, 0, isDigit)
	if end < len(text) && text[end] == '.' {
		end = span(text, end+1, isDigit)
	}
	value, ok := new(big.Rat).SetString(strings.TrimSuffix(text[:end], "."))
	if !ok {
		return 0, nil, "expected digits"
	}
	if exponent := exponentLength(text[end:]); exponent > 0 {
		power, err := strconv.Atoi(text[end+1 : end+exponent])
		if err != nil || power > maxExponent || power < -maxExponent {
			return 0, nil, fmt.Sprintf("the exponent of %s is out of bounds; the most is %d", text[:end+exponent], maxExponent)
		}
		return end + exponent, value.Mul(value, powerOf(10, power)), ""
	}
	unit := span(text, end, isLetter)
	factor := units()[text[end:unit]]
	if factor == nil {
		return 0, nil, fmt.Sprintf("%q is not a unit; write one of %s, or * before a name", text[end:unit], knownUnits)
	}
	return unit, value.Mul(value, factor), ""
}

// exponentLength returns the length of an e3, E3 or e-3 at the beginning of a text, or 0.
func exponentLength(text string) int {
	if text == "" || text[0]|0x20 != 'e' {
		return 0
	}
	digits := 1
	if len(text) > 1 && (text[1] == '-' || text[1] == '+') {
		digits++
	}
	if end := span(text, digits, isDigit); end > digits {
		return end
	}
	return 0
}

// span returns where the characters of a kind end that begin at an index.
func span(text string, from int, isOfKind func(byte) bool) int {
	for from < len(text) && isOfKind(text[from]) {
		from++
	}
	return from
}

const knownUnits = "n u m k M G T P E Ki Mi Gi Ti Pi Ei"

// units are Kubernetes' suffixes, and the empty one.
var units = sync.OnceValue(func() map[string]*big.Rat {
	factors := map[string]*big.Rat{}
	for i, suffix := range []string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"} {
		factors[suffix] = powerOf(1000, i-3)
	}
	for i, suffix := range []string{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"} {
		factors[suffix] = powerOf(1024, i+1)
	}
	return factors
})

func powerOf(base int64, exponent int) *big.Rat {
	size := int64(max(exponent, -exponent))
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(size), nil))
	if exponent < 0 {
		power.Inv(power)
	}
	return power
}

// CPU formats an amount of CPU as Kubernetes does, rounded up to a thousandth.
func CPU(amount *big.Rat) (string, error) {
	milli, err := roundUp(new(big.Rat).Mul(amount, big.NewRat(1000, 1)))
	if err != nil {
		return "", err
	}
	return resource.NewMilliQuantity(milli, resource.DecimalSI).String(), nil
}

// Memory formats an amount of memory as Kubernetes does, rounded up to a byte.
func Memory(amount *big.Rat) (string, error) {
	bytes, err := roundUp(amount)
	if err != nil {
		return "", err
	}
	return resource.NewQuantity(bytes, resource.BinarySI).String(), nil
}

func roundUp(amount *big.Rat) (int64, error) {
	floor, rest := new(big.Int).DivMod(amount.Num(), amount.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		floor.Add(floor, big.NewInt(1))
	}
	if !floor.IsInt64() || floor.Int64() == math.MinInt64 {
		return 0, fmt.Errorf("it is more than a quantity can hold")
	}
	return floor.Int64(), nil
}
