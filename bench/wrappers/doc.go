// Package wrappers holds resilient wrappers of ten interfaces of the standard library and of well-known modules, and what they must do.
// It is a module of its own: nobody else is to need its dependencies.
package wrappers
