//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// canLook says that it can be seen, without a goroutine that waits for it, whether a connection was closed by its other end.
const canLook = true

// socket is a connection as the system has it. Where another layer is between, there is none.
type socket struct {
	conn *tracked
	raw  syscall.RawConn
	turn func(fd uintptr) (done bool) // one of them for all requests

	looks   bool // first of all
	out, in []byte
	asked   bool // out is written
	n       int
	err     error
}

// newSocket returns the socket of a connection; nil if it has none.
func newSocket(c *tracked) *socket {
	of, ok := c.Conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return nil
	}
	s := &socket{conn: c, raw: raw}
	s.turn = s.take
	return s
}

// isQuiet reports whether a connection which waits for a request can have one: it is open, and nothing came that nobody asked for. It does not
// wait.
func (s *socket) isQuiet() bool {
	quiet := false
	err := s.raw.Control(func(fd uintptr) { quiet = isQuiet(int(fd)) })
	return err == nil && quiet
}

func isQuiet(fd int) bool {
	var first [1]byte
	for {
		_, _, err := syscall.Recvfrom(fd, first[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		if err != syscall.EINTR {
			return err == syscall.EAGAIN
		}
	}
}

// ask writes out, waits for what comes, and reads the first of it into in. With looks it is errEnded, and nothing was written, where the connection is
// not quiet. It does what isQuiet, Write and Read do, with one system call less: nobody reads what cannot be there yet. Without looks something may
// be, of which the poller has told already.
func (s *socket) ask(out, in []byte, looks bool) (int, error) {
	s.looks, s.out, s.in, s.asked, s.n, s.err = looks, out, in, false, 0, nil
	err := s.raw.Read(s.turn)
	rest, n := s.out, s.n
	s.out, s.in = nil, nil
	s.conn.written.Add(int64(len(out) - len(rest)))
	switch {
	case err != nil: // it was closed
		return 0, err //nolint:wrapcheck // a connection passes errors through
	case errors.Is(s.err, errEnded):
		return 0, errEnded
	case s.err != nil && !s.asked:
		s.conn.failed.Store(true)
		return 0, s.failed("write")
	case s.err != nil:
		return 0, s.failed("read")
	case !s.asked: // the system does not take all of it at once
		if _, err := s.conn.Write(rest); err != nil {
			return 0, err
		}
		return s.conn.Read(in)
	case n == 0:
		return 0, io.EOF
	}
	s.conn.read.Add(int64(n))
	return n, nil
}

// take takes its turn when something may have come, and first of all. It reports whether it is done.
func (s *socket) take(handle uintptr) (done bool) {
	fd := int(handle)
	if s.asked {
		return s.receive(fd)
	}
	if s.looks && !isQuiet(fd) {
		s.err = errEnded
		return true
	}
	n, err := again(syscall.Write, fd, s.out)
	s.out = s.out[max(n, 0):]
	if err == nil && len(s.out) == 0 {
		s.asked = true
		return !s.looks && s.receive(fd) // else nothing is there yet: it is waited for
	}
	if err != nil && err != syscall.EAGAIN { //nolint:errorlint // a system call returns this very type
		s.err = err
	}
	return true
}

// receive reads what has come, and reports whether it is done.
func (s *socket) receive(fd int) (done bool) {
	s.n, s.err = again(syscall.Read, fd, s.in)
	return s.err != syscall.EAGAIN //nolint:errorlint // a system call returns this very type
}

// again makes a system call until no signal interrupts it.
func again(call func(fd int, p []byte) (int, error), fd int, p []byte) (int, error) {
	for {
		n, err := call(fd, p)
		if err != syscall.EINTR { //nolint:errorlint // a system call returns this very type
			return n, err
		}
	}
}

// failed returns an error of the system as net does.
func (s *socket) failed(op string) error {
	at := s.conn.LocalAddr()
	return &net.OpError{Op: op, Net: at.Network(), Source: at, Addr: s.conn.RemoteAddr(), Err: os.NewSyscallError(op, s.err)}
}
