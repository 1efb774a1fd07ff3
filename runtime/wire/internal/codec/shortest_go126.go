//go:build !go1.27

package codec

// upAtPowers says that a power of two which lies just between two shortest numbers is the greater of them, as strconv has it up to Go 1.26:
// 2^-12 as float32 is 0.00024414063.
const upAtPowers = true
