//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import "syscall"

// canLook says that it can be seen, without a goroutine that waits for it, whether a connection was closed by its other end.
const canLook = true

// newLook returns a function that reports whether a connection which waits for a request can have one: it is open, and nothing came that nobody
// asked for. It does not wait. What cannot be looked at has ended.
func newLook(c *tracked) func() bool {
	s, ok := c.Conn.(syscall.Conn)
	if !ok {
		return func() bool { return false }
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return func() bool { return false }
	}
	var quiet bool
	var first [1]byte
	look := func(fd uintptr) bool {
		_, _, err := syscall.Recvfrom(int(fd), first[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		quiet = err == syscall.EAGAIN
		return true
	}
	return func() bool {
		quiet = false
		return raw.Read(look) == nil && quiet
	}
}
