package jsonfield_test

import (
	"reflect"
	"slices"
	"testing"

	"pillion.dev/pillion/internal/text/jsonfield"
)

// Embedded is part of outer.
type Embedded struct {
	Inner  string `json:"inner,omitempty"`
	Shared string `json:"shared"`
}

type outer struct {
	Named struct{} `json:"named"`
	Embedded

	hidden string
	Shared int    `json:"shared,omitzero"` // which hides that of Embedded
	Left   string `json:"-"`
	Plain  string
}

func TestFieldsAreThoseOfJSON(t *testing.T) {
	value := outer{hidden: "x", Shared: 1, Embedded: Embedded{Inner: "in"}}
	fields := jsonfield.Of(reflect.TypeOf(value))
	if got, want := fields.Names(), []string{"named", "inner", "shared", "shared"}; !slices.Equal(got, want) {
		t.Errorf("the fields are %q, want %q", got, want)
	}
	if inner := fields.Named("inner"); inner.Required || reflect.ValueOf(value).FieldByIndex(inner.Index).String() != "in" {
		t.Errorf("got %+v", inner)
	}
	if shared := fields.Named("shared"); shared.Struct != reflect.TypeFor[outer]() || shared.Type.Kind() != reflect.Int || shared.Required {
		t.Errorf("the struct's own field is hidden by %+v", shared)
	}
	if fields.Named("hidden") != nil || fields.Named("Plain") != nil || !fields.Named("named").Required {
		t.Errorf("got %+v", fields)
	}
}
