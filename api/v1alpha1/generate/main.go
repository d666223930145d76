// Generate writes the files that are made from the Go types into the directory of the API: the CustomResourceDefinition for
// clusters, the JSON schemas for editors, and the KRM function definition for catalogues. They are what controller-gen
// makes of the types, and what it cannot know. This is a module of its own, because controller-gen needs many others.
package main

import (
	"log"
	"os"
	"path/filepath"
)

// apiDir is seen from the directory of this program.
const apiDir = ".."

func main() {
	log.SetFlags(0)
	files, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(apiDir, name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
