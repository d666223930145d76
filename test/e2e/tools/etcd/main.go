// Command etcd is etcd. Its own main package is in a module with replacements, which cannot be installed directly.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
