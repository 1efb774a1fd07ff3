//go:build go1.27

package codec

// upAtPowers says that a power of two which lies just between two shortest numbers is the greater of them. Since Go 1.27 strconv takes the
// even one, as it does for all other floats: 2^-12 as float32 is 0.00024414062.
const upAtPowers = false
