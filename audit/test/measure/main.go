// Measure reports how long pillion-audit takes to audit a large cluster for the first time, and how much memory it
// needs. The API server is an imitation in this process; pillion-audit is the real program.
//
//	go -C audit run ./measure -pods 50000
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pillion.dev/pillion/audit/test/apiserver"
)

func main() {
	pods := flag.Int("pods", 50000, "number of pods")
	lists := flag.Bool("lists", false, "let the API server send lists in pages, as older ones do, instead of events")
	flag.Parse()
	if err := measure(*pods, !*lists); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(pods int, streams bool) error {
	dir, err := os.MkdirTemp("", "pillion-audit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is a temporary directory
	api := apiserver.New()
	defer api.Close()
	api.StreamsLists = streams
	size := fill(api, pods)
	fmt.Printf("%d pods of %.1f KB on average\n", pods, float64(size)/float64(pods)/1000)
	address, err := freeAddress()
	if err != nil {
		return err
	}
	watcher, err := newWatcher(dir, api.Kubeconfig(), address)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := watcher.Start(); err != nil {
		return err
	}
	defer watcher.Wait()         //nolint:errcheck // it was killed
	defer watcher.Process.Kill() //nolint:errcheck // it may have ended
	if err := waitUntilReady(address); err != nil {
		return err
	}
	fmt.Printf("first sync after %.1f s, %s\n", time.Since(start).Seconds(), memory(watcher.Process.Pid))
	if err := readPages(address, watcher.Process.Pid); err != nil {
		return err
	}
	return restartWatches(api, address, watcher.Process.Pid)
}

// newWatcher builds pillion-audit in a directory, and returns the command that runs it.
func newWatcher(dir, kubeconfig, address string) (*exec.Cmd, error) {
	program := filepath.Join(dir, "pillion-audit")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "pillion.dev/pillion/audit")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	files := map[string]string{"kubeconfig": kubeconfig, "injectors.yaml": injectors}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	watcher := exec.Command(program, "--kubeconfig", "kubeconfig", "--config", "injectors.yaml", "--listen", address)
	watcher.Dir, watcher.Stderr = dir, os.Stderr
	watcher.Env = append(os.Environ(), "GOMEMLIMIT=450MiB") // as in pipelines/audit
	return watcher, nil
}

// readPages reports how long each page takes, and the memory after it.
func readPages(address string, pid int) error {
	for _, path := range []string{"/metrics", "/", "/audit.json"} {
		start := time.Now()
		n, err := get("http://" + address + path)
		if err != nil {
			return err
		}
		fmt.Printf("%-11s %8d KB in %.1f s, %s\n", path, n/1000, time.Since(start).Seconds(), memory(pid))
	}
	return nil
}

// restartWatches lets the watcher read everything again, which it does while it holds everything.
func restartWatches(api *apiserver.Server, address string, pid int) error {
	start, before := time.Now(), len(api.Requests())
	api.SetDown(true) // else a watch may have seen the latest version, and goes on from there without reading the list
	api.Put(namespace("after-the-loss"))
	api.Compact()
	api.SetDown(false)
	for !slices.ContainsFunc(api.Requests()[before:], isListOfPods) {
		if time.Since(start) > patience {
			return fmt.Errorf("pillion-audit has not listed the pods again after %s", patience)
		}
		time.Sleep(100 * time.Millisecond)
	}
	err := waitUntilReady(address)
	fmt.Printf("all lists again after %.1f s, %s\n", time.Since(start).Seconds(), memory(pid))
	return err
}

// isListOfPods reports whether a request asks for all pods, and not only for changes.
func isListOfPods(request string) bool {
	isWatch := strings.Contains(request, "watch=true") && !strings.Contains(request, "sendInitialEvents=true")
	return strings.Contains(request, "/api/v1/pods") && !isWatch
}

// patience is how long to wait for pillion-audit.
const patience = 20 * time.Minute // on a busy machine

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close() //nolint:errcheck // only its address is used
	return listener.Addr().String(), nil
}

func waitUntilReady(address string) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if _, err := get("http://" + address + "/readyz"); err == nil {
			return nil
		}
	}
	return fmt.Errorf("pillion-audit is not ready after %s", patience)
}

// get returns the length of what is at an address.
func get(url string) (int64, error) {
	response, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	n, err := io.Copy(io.Discard, response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, response.Status)
	}
	return n, err
}

// memory returns the memory of a process now and at most, in words.
func memory(pid int) string {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "memory is only known on Linux"
	}
	defer file.Close() //nolint:errcheck // it was read
	values := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		var kilobytes int
		if _, err := fmt.Sscanf(value, "%d kB", &kilobytes); err == nil {
			values[name] = kilobytes
		}
	}
	return fmt.Sprintf("%d MB resident, at most %d MB", values["VmRSS"]*1024/1000000, values["VmHWM"]*1024/1000000)
}
