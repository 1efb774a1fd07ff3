package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
)

// VendorDir is the folder beside resgen.lock that holds the copies of remote documents.
const VendorDir = "resgen.vendor"

// CopyPath is where the copy of a remote document lies below VendorDir, with forward slashes: host and path of its URL. Whatever cannot
// stand in a file name everywhere is replaced, and then, as where there is a query or no extension, the name has a part of the URL's hash, so that no
// two URLs share a file. The URL is text of a document: the path never leads out of the folder.
func CopyPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{Path: address}
	}
	steps := []string{safe(u.Host)}
	for step := range strings.SplitSeq(u.EscapedPath(), "/") {
		if step != "" {
			steps = append(steps, safe(step))
		}
	}
	if len(steps) == 1 || strings.HasSuffix(u.EscapedPath(), "/") {
		steps = append(steps, "index")
	}
	last := len(steps) - 1
	ext := path.Ext(steps[last])
	steps[last] = strings.TrimSuffix(steps[last], ext)
	if plain := "https://" + strings.Join(steps, "/") + ext; plain != address || ext == "" {
		sum := sha256.Sum256([]byte(address))
		steps[last] += "-" + hex.EncodeToString(sum[:hashBytes])
	}
	if ext == "" {
		ext = ".yaml" // so that a folder can have the name too; JSON is read as well
	}
	return strings.Join(steps, "/") + ext
}

const (
	// hashBytes is how much of a hash tells two URLs apart.
	hashBytes = 6
	// maxStep is how long a part of a path may be.
	maxStep = 100
)

// safe is a part of a path as a file name on every system: small letters, digits, dots, dashes and underscores, no dot first.
func safe(step string) string {
	if len(step) > maxStep {
		step = step[:maxStep]
	}
	step = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '_'
		}
	}, strings.ToLower(step))
	if step == "" || step[0] == '.' || strings.HasSuffix(step, ".") || reserved[strings.ToLower(strings.TrimSuffix(step, path.Ext(step)))] {
		return "_" + strings.Trim(step, ".")
	}
	return step
}

// reserved are names that Windows keeps for devices.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true,
	"com7": true, "com8": true, "com9": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true,
	"lpt7": true, "lpt8": true, "lpt9": true,
}
