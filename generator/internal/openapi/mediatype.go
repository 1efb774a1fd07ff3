package openapi

import (
	"cmp"
	"strings"
	"unicode"
)

// media says how the bodies of a media type are read and written.
type media uint8

// The kinds of media.
const (
	// binaryMedia is bytes as they are: images, archives, and whatever has no name here.
	binaryMedia media = iota
	// jsonMedia is JSON, vendor types and lists of lines included.
	jsonMedia
	// formMedia is application/x-www-form-urlencoded.
	formMedia
	// multipartMedia is a body of parts.
	multipartMedia
	// streamMedia is text/event-stream.
	streamMedia
	// textMedia is other text.
	textMedia
	// anyMedia is a wildcard that JSON is among: its schema decides.
	anyMedia
	// foreignMedia is structured data that resgen has no codec for: XML and YAML.
	foreignMedia
)

// mediaKind tells by the type alone; case and parameters do not count.
func mediaKind(mediaType string) media {
	essence, _, _ := strings.Cut(strings.ToLower(oneMedia(mediaType)), ";")
	kind, subtype, _ := strings.Cut(strings.TrimSpace(essence), "/")
	switch {
	case kind == "*" || kind == "application" && subtype == "*":
		return anyMedia
	case strings.HasSuffix(subtype, "json") || strings.HasPrefix(subtype, "json+") || strings.HasSuffix(subtype, "jsonl") ||
		subtype == "jsonlines" || subtype == "json-seq":
		return jsonMedia
	case subtype == "x-www-form-urlencoded":
		return formMedia
	case kind == "multipart":
		return multipartMedia
	case subtype == "event-stream":
		return streamMedia
	case subtype == "xml" || subtype == "yaml" || subtype == "x-yaml" || strings.HasSuffix(subtype, "+xml") || strings.HasSuffix(subtype, "+yaml"):
		return foreignMedia
	case kind == "text":
		return textMedia
	default:
		return binaryMedia
	}
}

// isMediaType reports what can stand in a Content-Type header: a type or a range with its parameters, or a list of them.
func isMediaType(s string) bool {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return false
	}
	for one := range strings.SplitSeq(s, ",") {
		essence, parameters, _ := strings.Cut(one, ";")
		kind, subtype, _ := strings.Cut(strings.TrimSpace(essence), "/")
		if !isToken(kind) || !isToken(subtype) {
			return false
		}
		if parameters != "" { // a comma may be part of them
			return true
		}
	}
	return true
}

// oneMedia is the media type that a key stands for. Some authors list several in one key: of those the first that can be typed counts,
// JSON before others; what is only bytes stays a list, and the caller's content says which it is.
func oneMedia(key string) string {
	key = strings.TrimSpace(key)
	if !strings.Contains(key, ",") || strings.Contains(key, `"`) {
		return key
	}
	found := ""
	for one := range strings.SplitSeq(key, ",") {
		one = strings.TrimSpace(one)
		switch mediaKind(one) {
		case jsonMedia:
			return one
		case binaryMedia, foreignMedia:
		default:
			found = cmp.Or(found, one)
		}
	}
	return cmp.Or(found, key)
}
