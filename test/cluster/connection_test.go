package cluster

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// Connection is a way to the API server that can be cut, so that one client loses its watches while the API server goes
// on.
type Connection struct {
	Address string // https://127.0.0.1:port

	to       string
	listener net.Listener
	mutex    sync.Mutex
	isCut    bool
	open     map[net.Conn]bool
}

// Connect returns a connection that ends with the test.
func (c *Cluster) Connect(tb testing.TB) *Connection {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	connection := &Connection{
		Address: "https://" + listener.Addr().String(), to: strings.TrimPrefix(c.address, "https://"), listener: listener,
		open: map[net.Conn]bool{},
	}
	go connection.accept()
	tb.Cleanup(func() {
		_ = listener.Close()
		connection.Cut()
	})
	return connection
}

// Cut closes all connections, and closes new ones at once, until Restore.
func (c *Connection) Cut() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.isCut = true
	for connection := range c.open {
		_ = connection.Close()
	}
	clear(c.open)
}

// Restore lets clients connect again.
func (c *Connection) Restore() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.isCut = false
}

func (c *Connection) accept() {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return // the test has ended
		}
		server, err := net.Dial("tcp", c.to)
		if err != nil || !c.add(client, server) {
			_ = client.Close()
			continue
		}
		go c.copy(client, server)
		go c.copy(server, client)
	}
}

// add records both ends, and reports whether the connection is not cut.
func (c *Connection) add(client, server net.Conn) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.isCut {
		_ = server.Close()
		return false
	}
	c.open[client], c.open[server] = true, true
	return true
}

// copy copies until one end closes, and then closes both.
func (c *Connection) copy(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
	_ = from.Close()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.open, to)
	delete(c.open, from)
}
