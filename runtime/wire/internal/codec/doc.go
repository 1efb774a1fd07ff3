// Package codec reads and writes JSON by tables: each Go type is looked at once, by reflection, and what is found is kept as a shape, which
// one small decoder and one small encoder interpret. Generated packages stay plain structs with tags; there is no codec to compile, and
// none to read.
package codec
