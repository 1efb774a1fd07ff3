//go:build !linux

package tags

type sysHandle uintptr
