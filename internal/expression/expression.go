// Package expression computes amounts of CPU and memory from the app's: max(cpu*10%, 50m).
//
// An expression is one line: + - * / and parentheses, min() and max(), numbers,
// percentages, Kubernetes' quantities, and one variable. The arithmetic is exact.
package expression

import (
	"errors"
	"math/big"
)

// Limits of an expression, which bound the work that a hostile one causes.
const (
	MaxBytes = 256
	MaxDepth = 32
)

// ErrDivisionByZero is the error of x/0.
var ErrDivisionByZero = errors.New("it divides by zero")

// Expression is a parsed expression, safe to evaluate from many goroutines.
type Expression struct {
	text string
	root term
}

// String returns the expression as it was written.
func (e *Expression) String() string { return e.text }

// Evaluate computes the expression for a value of its variable. It does not change that value.
func (e *Expression) Evaluate(variable *big.Rat) (*big.Rat, error) {
	return e.root(variable)
}

// term is a part of an expression. Its result must not be changed, because it may be a literal.
type term func(variable *big.Rat) (*big.Rat, error)

func literal(value *big.Rat) term {
	return func(*big.Rat) (*big.Rat, error) { return value, nil }
}

func theVariable(variable *big.Rat) (*big.Rat, error) { return variable, nil }

func negated(operand term) term {
	return func(variable *big.Rat) (*big.Rat, error) {
		value, err := operand(variable)
		if err != nil {
			return nil, err
		}
		return new(big.Rat).Neg(value), nil
	}
}

func operation(operator byte, left, right term) term {
	return func(variable *big.Rat) (*big.Rat, error) {
		a, err := left(variable)
		if err != nil {
			return nil, err
		}
		b, err := right(variable)
		if err != nil {
			return nil, err
		}
		switch operator {
		case '+':
			return new(big.Rat).Add(a, b), nil
		case '-':
			return new(big.Rat).Sub(a, b), nil
		case '*':
			return new(big.Rat).Mul(a, b), nil
		}
		if b.Sign() == 0 {
			return nil, ErrDivisionByZero
		}
		return new(big.Rat).Quo(a, b), nil
	}
}

// extreme returns a term for the least of its arguments, or the greatest.
func extreme(greatest bool, arguments []term) term {
	return func(variable *big.Rat) (*big.Rat, error) {
		var best *big.Rat
		for _, argument := range arguments {
			value, err := argument(variable)
			if err != nil {
				return nil, err
			}
			if best == nil || greatest == (value.Cmp(best) > 0) {
				best = value
			}
		}
		return best, nil
	}
}
