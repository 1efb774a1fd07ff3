package generator_test

import (
	"fmt"
	"strings"
)

// prismExcuse says why the mock refuses requests that are right, or as right as they can be. An excuse that no refusal needs must be
// taken off the list.
type prismExcuse struct {
	// document is the document; empty for all of them. call is what the name of the call begins with, and says a part of what the
	// mock, or the player, says; empty for anything.
	document, call, says string
	reason               string
}

// The reasons.
const (
	overlap = "fault of the document: more than one alternative of a oneOf allows the value; prism does not look at discriminators"
	ends    = "fault of prism: it ends at a list or an object in the styles simple and label: in a path with a comma, in a header not sent"
	answer  = "fault of prism: for a header of the answer that is a list or an object it makes null, and ends as it reads that"
	nested  = "neither RFC 6570 nor OpenAPI writes lists in lists: we send JSON and warn (RG1115); prism splits at commas, and takes none"
	deep    = "fault of prism: it makes an empty object of an object that is optional and not sent, and misses what that requires"
	spaces  = "fault of prism: it finds no parameters in a path that has spaces"
	closed  = "fault of the document: each part of an allOf allows the members of its own only, so that nothing is valid"
	digest  = "the credential of the test is no digest"
	rawForm = "the document describes no object: the body is what the caller gives"
	rawText = "the document describes a structure in a media type that has none: the body is what the caller gives"
	byText  = "fault of prism: it takes a body of text for a string, whatever its schema says"
	members = "fault of prism: it reads the parts of a form as text: it knows no lists, no objects, and no encodings"
	lines   = "fault of prism: it does not read lines of JSON"
	header  = "fault of the document: it declares the header Content-Type, which OpenAPI says is ignored"
)

// prismExcuses are the refusals that are expected.
var prismExcuses = []prismExcuse{
	{"", "", "must match exactly one schema in oneOf", overlap},
	{"parameters", "PathSimple", "EOF", ends},
	{"parameters", "PathLabel", "EOF", ends},
	{"parameters", "Headers smallest", "reset", ends},
	{"parameters", "QueryStyles smallest", "query.deep", deep},
	{"parameters", "LongPath", "path must have required property", spaces},
	{"parameters", "OddParameters", "matrix.0 must be array", nested},
	{"responses", "Limited", "reset", answer},
	{"responses", "AlsoLimited", "reset", answer},
	{"responses", "OddHeaders", "reset", answer},
	{"security", "Digest", "UNAUTHORIZED", digest},
	{"bodies", "RawForm", "body", rawForm},
	{"bodies", "TextStructure", "must be object", rawText},
	{"bodies", "XML", "must be object", rawText},
	{"bodies", "Form", "body", members},
	{"bodies", "Multipart full", "body", members},
	{"typesense.yaml", "DeleteDocuments smallest", "deletedocumentsparameters", deep},
	{"pinecone-data.yaml", "UpsertRecordsNamespace", "must be array", lines},
	{"meilisearch.json", "", "body must be boolean", byText},
	{"meilisearch.json", "", "body must be integer", byText},
	{"assemblyai.yaml", "CreateTranscript", "additional", closed},
	{"docker-com-engine.json", "ImageBuild full", "content-type", header},
	{"docker-com-engine.json", "NetworkConnect", "must be object", rawText},
}

// excuseFor returns the index of the excuse for what was said of a call.
func excuseFor(document string, o *prismOutcome) (int, bool) {
	for i, e := range prismExcuses {
		if (e.document == "" || e.document == document) && strings.HasPrefix(o.Name, e.call) && strings.Contains(o.Unsaid+o.Refused, e.says) {
			return i, true
		}
	}
	return 0, false
}

// String says of what refusals it is.
func (e *prismExcuse) String() string {
	return fmt.Sprintf("%s %s %q: %s", e.document, e.call, e.says, e.reason)
}
