package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/kptdev/krm-functions-sdk/go/fn"

	"pillion.dev/pillion/pipelines/kpt/pillion"
)

// TestDocIsWhatTheSDKPrints compares --doc with what kpt's SDK makes of the same README and metadata.
func TestDocIsWhatTheSDKPrints(t *testing.T) {
	var out, stderr bytes.Buffer
	if code := Run([]string{"--doc"}, nil, &out, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	ours := decodedDoc(t, out.Bytes())
	if diff := cmp.Diff(decodedDoc(t, docOfSDK(t)), ours); diff != "" {
		t.Errorf("it differs (-SDK +Pillion):\n%s", diff)
	}
	for key, value := range ours {
		if value == "" {
			t.Errorf("%s is empty", key)
		}
	}
}

// docOfSDK returns what the SDK prints for --doc. It reads the arguments of the process, and writes to its standard
// output.
func docOfSDK(t *testing.T) []byte {
	t.Helper()
	arguments, stdout := os.Args, os.Stdout
	defer func() { os.Args, os.Stdout = arguments, stdout }()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	os.Args, os.Stdout = []string{"pillion", "--doc"}, file
	if err := sdk.AsMain(nil, sdk.WithDocs([]byte(pillion.Readme), pillion.Metadata)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decodedDoc(t *testing.T, text []byte) (doc map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&doc); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Errorf("something follows the documentation: %v", err)
	}
	return doc
}
