//go:build !amd64 || !gc || purego

package codec

import "encoding/binary"

// lookFar is look where data has a block or more.
func lookFar(data []byte, i int) (at int, stops, wide, passed uint32) {
	var all uint64
	for i+block <= len(data) {
		b := data[i : i+block]
		w0, w1 := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[word:])
		w2, w3 := binary.LittleEndian.Uint64(b[2*word:]), binary.LittleEndian.Uint64(b[3*word:])
		if (ends(w0)|ends(w1)|ends(w2)|ends(w3))&highs != 0 {
			break
		}
		all |= w0 | w1 | w2 | w3
		i += block
	}
	at, stops, wide = lookNear(data, i)
	return at, stops, wide, mask(all)
}
