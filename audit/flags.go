package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
)

// options are the values of the flags.
type options struct {
	configs      []string
	listen       string
	kubeconfig   string
	namespaces   []string
	logFormat    string
	watchRenewal time.Duration
	version      bool
}

const usage = `pillion-audit watches the pods of a cluster and shows which of them lack a declared sidecar, or run an old one.
It changes nothing.

Usage:
  pillion-audit --config PATH [flags]

Examples:
  pillion-audit --config /etc/pillion
  pillion-audit --config injectors.yaml --kubeconfig ~/.kube/config --listen 127.0.0.1:8080

It serves /metrics, /healthz, /readyz, a page at / and the same as JSON at /audit.json.

Flags:
`

// parseFlags returns the options, or what is wrong with the flags.
func parseFlags(args []string, help io.Writer) (options, error) {
	var o options
	flags := pflag.NewFlagSet("pillion-audit", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.StringArrayVarP(&o.configs, "config", "c", nil,
		"`PATH` of a file or directory with SidecarInjectors, read again when it changes; can be repeated")
	flags.StringArrayVarP(&o.namespaces, "namespace", "n", nil, "`NAMESPACE` to watch instead of all; can be repeated")
	flags.StringVar(&o.listen, "listen", ":8080", "`ADDRESS` to serve HTTP at")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "",
		"`FILE` with the address and the credentials of the cluster, if the program does not run in it")
	flags.DurationVar(&o.watchRenewal, "watch-renewal", time.Minute,
		"how long a watch lasts before it is renewed, which finds out about lost rights")
	flags.StringVar(&o.logFormat, "log-format", "text", "text or json")
	flags.BoolVar(&o.version, "version", false, "print the version, and the commit it was built from")
	flags.Usage = func() { fmt.Fprint(help, usage, flags.FlagUsagesWrapped(120)) }
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.version {
		return o, nil
	}
	return o, o.check(flags.Args())
}

func (o options) check(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is not a flag; see pillion-audit --help", args[0])
	}
	if len(o.configs) == 0 {
		return errors.New("there is no config; name a file or a directory with --config")
	}
	if o.logFormat != "text" && o.logFormat != "json" {
		return fmt.Errorf("--log-format is %q; write text or json", o.logFormat)
	}
	if o.watchRenewal < time.Second {
		return fmt.Errorf("--watch-renewal is %s; write a time of at least 1s", o.watchRenewal)
	}
	for _, namespace := range o.namespaces {
		if problems := validation.IsDNS1123Label(namespace); len(problems) > 0 {
			return fmt.Errorf("--namespace is %q, which is not the name of a namespace: %s", namespace, strings.Join(problems, "; "))
		}
	}
	return nil
}
