// Package elsewhere has wrappers of interfaces of other packages.
package elsewhere
