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
	root *term
}

// String returns the expression as it was written.
func (e *Expression) String() string { return e.text }

// Evaluate computes the expression for a value of its variable. It does not change that value.
func (e *Expression) Evaluate(variable *big.Rat) (*big.Rat, error) { return e.root.evaluate(variable) }

// term is a part of an expression: an operator or a function and its operands, a literal, or the variable, which has
// neither.
type term struct {
	operator string // + - * / min max
	operands []*term
	literal  *big.Rat
}

// evaluate computes the term. Its result must not be changed, because it may be a literal.
func (t *term) evaluate(variable *big.Rat) (*big.Rat, error) {
	switch {
	case t.literal != nil:
		return t.literal, nil
	case t.operator == "":
		return variable, nil
	}
	result, err := t.operands[0].evaluate(variable)
	if err != nil {
		return nil, err
	}
	if t.operator == "-" && len(t.operands) == 1 {
		return new(big.Rat).Neg(result), nil
	}
	for _, operand := range t.operands[1:] {
		value, err := operand.evaluate(variable)
		if err != nil {
			return nil, err
		}
		if result, err = compute(result, t.operator, value); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func compute(a *big.Rat, operator string, b *big.Rat) (*big.Rat, error) {
	switch operator {
	case "+":
		return new(big.Rat).Add(a, b), nil
	case "-":
		return new(big.Rat).Sub(a, b), nil
	case "*":
		return new(big.Rat).Mul(a, b), nil
	case "/":
		if b.Sign() == 0 {
			return nil, ErrDivisionByZero
		}
		return new(big.Rat).Quo(a, b), nil
	}
	if (operator == "max") == (b.Cmp(a) > 0) {
		return b, nil
	}
	return a, nil
}
