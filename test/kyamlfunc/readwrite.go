package main

import (
	"io"

	"sigs.k8s.io/kustomize/kyaml/kio"
)

// readAndWrite does what every kyaml function does before its own work.
func readAndWrite(in io.Reader, out io.Writer) error {
	list := &kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true}
	items, err := list.Read()
	if err != nil {
		return err
	}
	return list.Write(items)
}
