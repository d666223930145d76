// Package config is what a platform team writes. In the order of the data: form makes nodes of a config of any kind,
// schema reads their fields, and injector checks them, and makes the plan of what is done. selection decides which pods
// that is for, and rollout which workloads have it already.
package config
