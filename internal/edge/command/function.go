package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/files"
)

// function runs Pillion as a KRM function. It writes nothing until the reply is complete, because kpt and kustomize
// delete everything that a reply does not contain.
func function(ctx context.Context, in io.Reader, out, stderr io.Writer) error {
	// Nearly all of a run's memory is in use until its end, so that an earlier collection takes a twentieth of the time
	// and frees little.
	collectAt(150)
	text, err := readAll(in)
	if err != nil {
		return fmt.Errorf("standard input cannot be read: %w", err)
	}
	reply := bufio.NewWriterSize(out, 1<<16)
	report, err := fn.Run(ctx, text, reply)
	if err != nil {
		return inputError(err)
	}
	if err := reply.Flush(); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	if _, err := io.WriteString(stderr, report.Summary); err != nil { // the results contain the changes
		return err
	}
	if report.Failed() {
		return errFailed
	}
	return nil
}

// inputError returns the error of a run on something that is no ResourceList, with the command for plain manifests.
func inputError(err error) error {
	const remedy = "; without a command, Pillion reads only the ResourceList that kustomize and kpt send to a function"
	var found finding.Finding
	switch {
	case errors.Is(err, engine.ErrNoInput):
		return errors.New("standard input is empty; to add sidecars to manifests, run: pillion inject -c CONFIG -f FILE" + remedy)
	case errors.Is(err, engine.ErrNoResourceList):
		return errors.New("the input holds plain manifests; to add sidecars to them, run: pillion inject -c CONFIG" + remedy)
	case errors.As(err, &found):
		return errors.New(found.Message)
	}
	return err
}

// collectAt lets a run allocate that many percent of what is in use before garbage is collected, unless GOGC says
// otherwise.
func collectAt(percent int) {
	const usual = 100
	if was := debug.SetGCPercent(percent); was != usual {
		debug.SetGCPercent(was)
	}
}

// readAll reads a stream of at most files.MaxBytes.
func readAll(in io.Reader) ([]byte, error) {
	text, err := files.ReadAll(in, files.MaxBytes+1)
	if err == nil && len(text) > files.MaxBytes {
		err = fmt.Errorf("it is larger than %d MiB; split the package", files.MaxBytes>>20)
	}
	return text, err
}
