//go:build gc && !purego

package codec

// lookFar is look where data has a block or more. It is the one function in assembly: TestLook and FuzzLook hold it to what is said of look.
//
//go:noescape
func lookFar(data []byte, i int) (at int, stops, wide, passed uint32)
