package httpcall

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// apart is set in the process that is the server.
const apart = "RESGEN_BENCH_SERVER"

// TestMain is the server, where it is asked to be; it ends with its standard input.
func TestMain(m *testing.M) {
	if os.Getenv(apart) == "" {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, "http://"+l.Addr().String())
	go serveOn(l, chatText)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// serveApart is serve in a process of its own, whose CPU time does not count.
func serveApart(tb testing.TB) (url string) {
	tb.Helper()
	server := exec.CommandContext(tb.Context(), os.Args[0])
	server.Env = append(os.Environ(), apart+"=1")
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := server.Start(); err != nil {
		tb.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	tb.Cleanup(func() {
		in.Close()
		_ = server.Wait() // the context of a benchmark has ended it already
	})
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// The server in a process of its own answers all clients.
func TestServeApart(t *testing.T) {
	t.Parallel()
	url := serveApart(t)
	for _, c := range append([]client{own}, chats()...) {
		do := c.make(t, pooled(t), url)
		for range 2 {
			if err := do(t.Context()); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// BenchmarkChatApart is the whole call to such a server in a process of its own: what the client's process takes, while it waits for an answer as
// it would for one from another machine.
func BenchmarkChatApart(b *testing.B) {
	bench(b, append([]client{own}, chats()...), pooled(b), serveApart(b))
}
