// Package cluster runs a real Kubernetes API server with etcd, for tests of admission and validation. There is no
// kubelet and no scheduler: pods stay Pending.
package cluster
