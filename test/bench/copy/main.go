// Copy reads all of its input and then writes it, which is the least that a function can do. It is a separate program,
// because the start-up time of a larger one would be visible.
package main

import (
	"io"
	"os"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
}
