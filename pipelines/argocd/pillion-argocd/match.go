package main

import (
	"fmt"
	"io"
)

// match prints something where the application is for Pillion, and nothing where it is not. Argo CD asks also when an
// Application names the plugin, and takes nothing for a no then, too.
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
