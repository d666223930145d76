package admission

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

func isString(t reflect.Type) bool { return t != nil && t.Kind() == reflect.String }

// Whole numbers in strings, as Go reads them. CEL writes those of more than 15 digits as strings, and none of a pod's fields needs them.
const (
	isNumber    = `^[+-]?0*[0-9]{1,15}$`
	isAnyNumber = `^[+-]?0*[0-9]{1,19}$`
)

// isAmount is the condition that the text d is a quantity as Pillion reads those of containers. Kubernetes takes hours to read a quantity
// with a large exponent, so that it only sees small ones.
var isAmount = fmt.Sprintf("d.matches(%s) && size(d) <= 256 && isQuantity(d)",
	quote(`^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?0*[0-9]{1,2})?$`))

// converted returns the expression for the value of a field from that of a string, which fits or is refused. It never fails.
func converted(text string, t reflect.Type) string {
	if t != reflect.TypeFor[intstr.IntOrString]() {
		return text
	}
	return fmt.Sprintf("[%s].map(d, d.matches(%s) ? dyn(int(d)) : dyn(d))[0]", text, quote(isNumber))
}

// misfit is why a text does not fit the type of a field: a condition on the text d, and what is wrong with it, as an expression.
type misfit struct{ condition, problem string }

// misfitOf returns why a text does not fit a type, or nil if every text does, or the API server refuses those that do not.
func misfitOf(t reflect.Type) *misfit {
	switch t {
	case nil:
		return nil
	case reflect.TypeFor[resource.Quantity]():
		return &misfit{"!(" + isAmount + ")", `"expected a quantity such as 100m, 0.5 or 512Mi, found the string \"" + d + "\""`}
	case reflect.TypeFor[intstr.IntOrString]():
		return &misfit{
			fmt.Sprintf("d.matches(%s) && (!d.matches(%s) || int(d) < %d || int(d) > %d)",
				quote(isAnyNumber), quote(isNumber), math.MinInt32, math.MaxInt32),
			`"expected a number or a string, found the number " + d`,
		}
	}
	if allowed := v1alpha1.Allowed(reflect.Zero(t).Interface()); len(allowed) > 0 {
		return &misfit{
			fmt.Sprintf("!(d in %s)", stringList(append([]string{""}, allowed...))),
			fmt.Sprintf(`"\"" + d + %s`, quote(`" is not one of `+strings.Join(allowed, ", "))),
		}
	}
	return nil
}

const isSubdomain = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`

// refuseInvalid refuses pods in which a text does not fit its field.
func (f *filler) refuseInvalid(text injector.Text, expression string) {
	wrong := misfitOf(text.Type)
	switch field := fieldOf(f.in.Injector, text); strings.TrimPrefix(strings.TrimPrefix(field, "initContainers."), "containers.") {
	case "envFrom.configMapRef.name", "envFrom.secretRef.name": // the API server does not check these
		wrong = &misfit{fmt.Sprintf("!d.matches(%s) || size(d) > 253", quote(isSubdomain)), `"\"" + d + "\" is not a valid name"`}
	case "image":
		wrong = &misfit{`d.trim() == ""`, quote("a container needs an image; write one, such as envoyproxy/envoy:v1.33.0")}
	}
	if wrong == nil {
		return
	}
	f.refuse(text, finding.VariableInvalid, text.Path+" fits", fmt.Sprintf("[%s].exists(d, %s)", expression, wrong.condition),
		fmt.Sprintf("%s + [%s].map(d, %s)[0]", quote("with the variables of the injector filled in, "+text.Path+": "), expression, wrong.problem))
}
