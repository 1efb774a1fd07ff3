// Package config reads resgen.yaml: which clients are generated, from what, and where to.
//
//	resgen.yaml ──source.Read──▶ source.Value ──Read──▶ Config
//
// Paths stay as they are written: relative to the folder of resgen.yaml. Keys that no version knows are errors with the nearest
// key that one does; keys whose feature is not there yet are refused and never ignored.
//
// Read in this order: config.go, keys.go (the table of keys, and its JSON Schema), decode.go, names.go.
package config
