// Pillion puts sidecars into pods before the manifests reach the cluster.
package main

import (
	"os"

	"pillion.dev/pillion/internal/edge/command"
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
