//go:build !ogen

package codec

const noOgen = "ogen's code is not there: `make -C bench ogen` generates it"

func ogenReads(name string, _ []byte) []arm {
	if name == "embeddings-base64" {
		return nil
	}
	return []arm{{name: "ogen", missing: noOgen}}
}

func ogenWrites(string, any) []writer { return []writer{{name: "ogen", missing: noOgen}} }
