package runtime

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// keyError is a key that could not be had: nothing was sent.
type keyError struct{ err error }

// Error says that there is no key, and why.
func (e *keyError) Error() string { return "idempotency key: " + e.err.Error() }

// Unwrap returns why.
func (e *keyError) Unwrap() error { return e.err }

// keyFor returns the idempotency key of an attempt on the rung: the same for all attempts against one target, another for another
// target or another body (trap T32).
func (d *driver) keyFor(ctx context.Context, now time.Time, rung int) (string, error) {
	k := &d.op.plan.Key
	if d.op.plan.Idempotency != policy.Keyed || rung > 0 && !d.op.sort(rung).Resends() {
		return "", nil
	}
	if d.keyed && d.keyRung == rung {
		return d.key, nil
	}
	key, err := d.mint(ctx, now, k, rung)
	if err != nil {
		return "", &keyError{err}
	}
	d.key, d.keyRung, d.keyed = key, rung, true
	return key, nil
}

// mint makes the key of a rung. The caller's own wins: it is what lets a restarted process repeat its call. It belongs to the
// request as the caller made it, so that another target or body gets one derived from it.
func (d *driver) mint(ctx context.Context, now time.Time, k *policy.Key, rung int) (string, error) {
	switch own := d.scope.key; {
	case own != "" && rung == 0:
		return own, nil
	case own != "":
		return derivedKey(own, d.op.names[rung]), nil
	case k.Source == policy.KeyParam:
		return "", nil // the request carries it
	case k.Source == policy.KeyFunc && d.op.keyFunc != nil:
		return d.op.keyFunc(ctx)
	default:
		return mintedKey(now), nil
	}
}

// keyOf returns the key to send with a request; empty where none is, or where the request has it. A key that the caller wrote into the
// request itself, as a header parameter, is the caller's own too: it is kept on rung 0, and others get one derived from it. One that the
// context gives comes before both.
func (at Attempt) keyOf(req *wire.Request) string {
	plan := at.plan()
	if plan == nil || plan.Key.Header == "" || plan.Idempotency != policy.Keyed || at.scope != nil && at.scope.key != "" {
		return at.Key
	}
	switch own := req.HeaderValue(plan.Key.Header); {
	case own == "":
		return at.Key
	case at.Rung == 0:
		return ""
	default:
		return derivedKey(own, at.op.names[at.Rung])
	}
}

// keyOfPart is keyOf for a request that may send only some of the items again: another body needs another key, which is the same for each
// attempt to send the same items.
func (at Attempt) keyOfPart(req *wire.Request, part string) string {
	key := at.keyOf(req)
	if part == "" || at.plan().Key.Header == "" {
		return key
	}
	return derivedKey(cmp.Or(key, req.HeaderValue(at.plan().Key.Header)), part)
}

// The bits that every UUID fixes (RFC 9562, section 4).
const (
	uuidVersion7  = 0x70
	uuidVersion8  = 0x80
	uuidVersion   = 0xf0
	uuidVariant   = 0x80
	uuidVariants  = 0xc0
	uuidStampBits = 16 // of a 64-bit word, below the 48 bits of the time
)

// mintedKey returns a new UUID version 7 (RFC 9562, section 5.7): milliseconds, and 74 random bits.
func mintedKey(now time.Time) string {
	var stamp [8]byte
	var id [16]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(now.UnixMilli())<<uuidStampBits)
	rand.Read(id[:]) // it never fails
	copy(id[:6], stamp[:])
	return formatUUID(id, uuidVersion7)
}

// derivedKey returns a UUID version 8 (RFC 9562, section 5.8) that is always the same for a caller's key and a rung.
func derivedKey(own, rung string) string {
	sum := sha256.Sum256([]byte("resgen\x00" + rung + "\x00" + own))
	return formatUUID([16]byte(sum[:16]), uuidVersion8)
}

// formatUUID sets the fixed bits and writes the UUID in its text form.
func formatUUID(id [16]byte, version byte) string {
	id[6] = id[6]&^uuidVersion | version
	id[8] = id[8]&^uuidVariants | uuidVariant
	var text [36]byte
	hex.Encode(text[0:], id[0:4])
	hex.Encode(text[9:], id[4:6])
	hex.Encode(text[14:], id[6:8])
	hex.Encode(text[19:], id[8:10])
	hex.Encode(text[24:], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
