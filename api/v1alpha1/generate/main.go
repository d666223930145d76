// Generate writes the files that are made from the Go types into the directory that it
// is run in, which is the API's: see the go:generate line there.
package main

import (
	"log"
	"os"

	"pillion.dev/pillion/internal/config/schema"
)

func main() {
	log.SetFlags(0)
	files, err := schema.Generate(".")
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
