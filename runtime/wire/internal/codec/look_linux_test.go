package codec

import (
	"os"
	"syscall"
	"testing"
)

// TestLookStaysInside has memory on both sides of the text that cannot be read: a byte too far would end the test with a fault.
func TestLookStaysInside(t *testing.T) {
	t.Parallel()
	page := os.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	inside := all[page : 2*page]
	for i := range inside {
		inside[i] = 'a'
	}
	for _, outside := range [][]byte{all[:page], all[2*page:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	for size := range 4 * block {
		for i := range size + 1 {
			checkLook(t, inside[:size:size], i)
			checkLook(t, inside[page-size:], i)
		}
	}
}
