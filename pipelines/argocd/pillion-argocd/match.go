package main

import (
	"fmt"
	"io"
)

// match prints something if the application uses Pillion. If it prints nothing, Argo CD does not use the plugin, even
// for an Application that names it.
func match(app application, out, _ io.Writer) error {
	own, err := nearestConfig(app.dir, app.root)
	if own == "" && err == nil && !app.named {
		return nil
	}
	_, err = fmt.Fprintln(out, "it has an", configName, "or names the plugin") // generate reports a config that cannot be read
	return err
}
