//go:build js

// Playground is Pillion for a page in a browser. The worker of the page calls it.
package main

import (
	"encoding/json"
	"syscall/js"

	"pillion.dev/pillion/internal/edge/playground"
)

func main() {
	js.Global().Set("presets", asJSON(playground.Presets()))
	js.Global().Set("run", js.FuncOf(func(_ js.Value, texts []js.Value) any {
		return asJSON(playground.Run(texts[0].String(), texts[1].String()))
	}))
	js.Global().Call("ready")
	select {}
}

func asJSON(value any) string {
	text, _ := json.Marshal(value) // FuzzRun checks that there is no error
	return string(text)
}
