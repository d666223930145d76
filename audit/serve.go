package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/server"
	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/internal/edge/version"
)

// serve watches and answers requests until the context ends.
func serve(ctx context.Context, o options, logs io.Writer) error {
	log := newLog(o.logFormat, logs)
	klog.SetSlogLogger(log) // that of client-go
	limitMemory(log)
	client, err := newClient(o.kubeconfig)
	if err != nil {
		return err
	}
	w, err := watcher.New(client, watcher.Options{
		Config: o.configs, ConfigPeriod: 2 * time.Second, Log: log, Now: time.Now, //nolint:forbidigo // the time of the last sync
		Cluster: cluster.Options{
			Namespaces: slices.Compact(slices.Sorted(slices.Values(o.namespaces))),
			Renewal:    o.watchRenewal,
			Log:        log,
		},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	log.Info("started", "version", version.Current().Version, "address", listener.Addr().String())
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { w.Run(ctx) })
	how := server.Options{Version: version.Current().Version, Log: log}
	err = server.Serve(ctx, listener, server.Handler(w, how), how)
	stop()
	watching.Wait()
	log.Info("stopped")
	return err
}

func newLog(format string, to io.Writer) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}

// newClient returns a client of the cluster that the program runs in, or of the one in a file.
func newClient(kubeconfig string) (dynamic.Interface, error) {
	var config *rest.Config
	var err error
	if kubeconfig == "" {
		if config, err = rest.InClusterConfig(); err != nil {
			return nil, fmt.Errorf("not in a cluster, so name a file with --kubeconfig: %w", err)
		}
	} else if config, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err != nil {
		return nil, fmt.Errorf("--kubeconfig: %w", err)
	}
	config.UserAgent = "pillion-audit/" + version.Current().Version
	config.QPS, config.Burst = 50, 100 // the pages of a list of 50,000 pods
	config.Wrap(cluster.Transport)
	return dynamic.NewForConfig(config)
}
