package lock

import (
	"crypto/sha256"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// File is resgen.lock. The zero value is a file that is not there. It is not safe for concurrent writing.
type File struct {
	// Clients are what is known of the clients, by the NAME of the output.
	Clients map[string]*Client
	// Refs are the hashes of remote documents, by their URL.
	Refs map[string]Hash
}

// Client is what is known of the names of one package.
type Client struct {
	// Names are the names that met a collision, by what they stand for.
	Names map[string]Name
	// kept are the fingerprints of the other names, with what they stand for.
	kept map[fingerprint]bool
}

// Name is a Go name, and where the file has it.
type Name struct {
	Text string
	Pos  source.Pos
}

// Hash is the SHA-256 of a document's bytes as "sha256:" and 64 hexadecimal digits, and where the file has it.
type Hash struct {
	Text string
	Pos  source.Pos
}

// fingerprint stands for a name and what it stands for. It is asked only where two claim one name, so that 24 bits are plenty.
type fingerprint uint32

const fingerprintBits = 24

func fingerprintOf(id, name string) fingerprint {
	sum := sha256.Sum256([]byte(id + "\x00" + name))
	return fingerprint(uint32(sum[0])<<16 | uint32(sum[1])<<8 | uint32(sum[2]))
}

// Keep notes a name that met no collision.
func (c *Client) Keep(id, name string) {
	if c.kept == nil {
		c.kept = map[fingerprint]bool{}
	}
	c.kept[fingerprintOf(id, name)] = true
}

// Kept reports whether a name that met no collision stood for that. A nil client knows nothing.
func (c *Client) Kept(id, name string) bool { return c != nil && c.kept[fingerprintOf(id, name)] }

// Rename notes a name that met a collision.
func (c *Client) Rename(id, name string) {
	if c.Names == nil {
		c.Names = map[string]Name{}
	}
	c.Names[id] = Name{Text: name}
}

func (c *Client) isEmpty() bool { return c == nil || len(c.Names) == 0 && len(c.kept) == 0 }

// HashOf is the hash of a document's bytes.
func HashOf(data []byte) string { return hashPrefix + hexOf(sha256.Sum256(data)) }
