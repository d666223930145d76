// Package pillion is the entry of the function in a catalog of kpt functions. The program prints it for --doc.
package pillion

import _ "embed" // for the files of the entry

// Readme is the page of the function. Comments mark its summary, its description and its examples.
//
//go:embed README.md
var Readme string

// Metadata names the image, the tags, the license and the examples of the function.
//
//go:embed metadata.yaml
var Metadata []byte
