//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// socketPair returns a socket, and the other end of its connection.
func socketPair(t *testing.T) (*socket, *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	other, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); other.Close() })
	s := newSocket(&tracked{Conn: c})
	if s == nil {
		t.Fatal("a TCP connection has no socket")
	}
	return s, other.(*net.TCPConn)
}

// untilNotQuiet returns when what the other end did has come.
func untilNotQuiet(s *socket) {
	for s.isQuiet() {
		runtime.Gosched()
	}
}

// What is asked goes out whole and the answer comes, though the system does not take all of it at once.
func TestAskOfASlowReader(t *testing.T) {
	t.Parallel()
	s, other := socketPair(t)
	text := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // more than the buffers of a connection hold
	got := make(chan []byte, 1)
	go func() {
		all := make([]byte, len(text))
		_, _ = io.ReadFull(other, all)
		_, _ = io.WriteString(other, "answer")
		got <- all
	}()
	in := make([]byte, 10)
	n, err := s.ask(text, in, true)
	if err != nil || string(in[:n]) != "answer" || !bytes.Equal(<-got, text) {
		t.Errorf("got %q, %v", in[:n], err)
	}
	if w, r := s.conn.written.Load(), s.conn.read.Load(); w != int64(len(text)) || r != int64(n) {
		t.Errorf("counted %d written, %d read", w, r)
	}
}

// Nothing is written to a connection that was closed, was broken, or spoke, while nobody used it.
func TestAskLooksFirst(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(c *net.TCPConn) error{
		"closed": func(c *net.TCPConn) error { return c.Close() },
		"broken": func(c *net.TCPConn) error { return errors.Join(c.SetLinger(0), c.Close()) },
		"half":   func(c *net.TCPConn) error { return c.CloseWrite() },
		"spoke":  func(c *net.TCPConn) error { _, err := c.Write([]byte("x")); return err },
	} {
		s, other := socketPair(t)
		if !s.isQuiet() {
			t.Errorf("%s: not quiet before", name)
		}
		if err := end(other); err != nil {
			t.Fatal(err)
		}
		untilNotQuiet(s)
		n, err := s.ask([]byte("text"), make([]byte, 1), true)
		if n != 0 || !errors.Is(err, errEnded) || s.conn.written.Load() != 0 || s.conn.failed.Load() {
			t.Errorf("%s: %d, %v; %d written", name, n, err, s.conn.written.Load())
		}
	}
}

// What a server says before it was asked, on a connection that is new, has come: nothing else may, and it is not waited for.
func TestAskOfAServerThatSpokeFirst(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(c *net.TCPConn) error{
		"spoke": func(c *net.TCPConn) error { _, err := c.Write([]byte("busy")); return err },
		"half":  func(c *net.TCPConn) error { return c.CloseWrite() },
	} {
		s, other := socketPair(t)
		waits, told := make(chan struct{}), make(chan error, 1)
		go func() {
			calls := 0
			told <- s.raw.Read(func(uintptr) bool {
				if calls++; calls == 1 {
					close(waits)
				}
				return calls > 1
			})
		}()
		<-waits
		if err := errors.Join(begin(other), <-told); err != nil { // net's poller has told of it, and tells but once
			t.Fatal(err)
		}
		if err := s.conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		in := make([]byte, 10)
		n, err := s.ask([]byte("text"), in, false)
		if spoke := name == "spoke"; spoke && (err != nil || string(in[:n]) != "busy") || !spoke && err != io.EOF { //nolint:errorlint // as below
			t.Errorf("%s: %q, %v", name, in[:n], err)
		}
	}
}

// What breaks is told as net tells it, with what was being done.
func TestAskTellsWhatBroke(t *testing.T) {
	t.Parallel()
	t.Run("writing", func(t *testing.T) {
		t.Parallel()
		s, other := socketPair(t)
		if err := errors.Join(other.SetLinger(0), other.Close()); err != nil {
			t.Fatal(err)
		}
		untilNotQuiet(s)
		_, err := s.ask([]byte("text"), make([]byte, 1), false)
		op, ok := errors.AsType[*net.OpError](err)
		if !ok || op.Op != "write" || !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) || !s.conn.failed.Load() {
			t.Errorf("got %v", err)
		}
	})
	t.Run("reading", func(t *testing.T) {
		t.Parallel()
		s, other := socketPair(t)
		go func() {
			_, _ = io.ReadFull(other, make([]byte, 4))
			_ = errors.Join(other.SetLinger(0), other.Close())
		}()
		_, err := s.ask([]byte("text"), make([]byte, 1), false)
		op, ok := errors.AsType[*net.OpError](err)
		if !ok || op.Op != "read" || !errors.Is(err, syscall.ECONNRESET) || s.conn.failed.Load() || s.conn.written.Load() != 4 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the end", func(t *testing.T) {
		t.Parallel()
		s, other := socketPair(t)
		go func() {
			_, _ = io.ReadFull(other, make([]byte, 4))
			_ = other.Close()
		}()
		if _, err := s.ask([]byte("text"), make([]byte, 1), false); err != io.EOF { //nolint:errorlint // io.Reader asks for this very error
			t.Errorf("got %v", err)
		}
	})
	t.Run("our own close", func(t *testing.T) {
		t.Parallel()
		s, other := socketPair(t)
		go func() {
			_, _ = io.ReadFull(other, make([]byte, 4))
			_ = s.conn.Close()
		}()
		if _, err := s.ask([]byte("text"), make([]byte, 1), false); !errors.Is(err, net.ErrClosed) || s.conn.written.Load() != 4 {
			t.Errorf("got %v", err)
		}
	})
}
