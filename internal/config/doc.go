// Package config is what a platform team writes: injectors, read and checked once, which pods they select, and the plan
// of what they do.
package config
