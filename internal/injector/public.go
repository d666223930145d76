package injector

import "pillion.dev/pillion/api/v1alpha1"

// GetName and GetSpec make an Injector what transformers of other programs see.

// GetName returns the injector's name.
func (i *Injector) GetName() string { return i.Name }

// GetSpec returns the injector's spec, with defaults. It is shared and must not be changed.
func (i *Injector) GetSpec() *v1alpha1.SidecarInjectorSpec { return &i.Spec }
