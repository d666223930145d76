// Empty does nothing: its time is what starting and ending a Go program takes.
package main

func main() {}
