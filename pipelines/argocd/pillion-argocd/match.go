package main

import (
	"fmt"
	"io"
)

// match prints something if the application uses Pillion. If it prints nothing, Argo CD does not use the plugin, even for an
// Application that names it.
func match(app application, out, _ io.Writer) error {
	var err error
	switch {
	case app.has(ownConfig):
		_, err = fmt.Fprintln(out, "it has a", ownConfig)
	case app.named:
		_, err = fmt.Fprintln(out, "it names the plugin")
	}
	return err
}
