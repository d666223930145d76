package main

import (
	"fmt"
	"os"
)

// copying returns the limit for every program that reads all of its input before it writes.
func copying(shop *workshop, reads input, runs int) *contestant {
	return &contestant{
		name: "the limit: read all bytes, write them", path: shop.copy, reads: reads, runs: runs,
		check: func(output string) error {
			file, err := os.Stat(output)
			if err == nil && file.Size() != reads.bytes {
				err = fmt.Errorf("its output has %d bytes, want %d", file.Size(), reads.bytes)
			}
			return err
		},
	}
}
