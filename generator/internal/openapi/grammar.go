package openapi

// section is a sort of object that OpenAPI defines. Those that can be referred to are named as components call them.
type section string

// The sections.
const (
	pathItems       section = "pathItems"
	operations      section = "operation"
	parameters      section = "parameters"
	headers         section = "headers"
	requestBodies   section = "requestBodies"
	responses       section = "responses"
	mediaTypes      section = "mediaTypes"
	encodings       section = "encoding"
	servers         section = "server"
	serverVariables section = "serverVariable"
	securitySchemes section = "securitySchemes"
	oauthFlows      section = "oauthFlows"
	oauthFlow       section = "oauthFlow"
	inboundRequests section = "inboundRequest"
	discriminators  section = "discriminator"
	schemas         section = "schemas"
)

// canRefer reports whether an object of the section may be written as a $ref. Media types may since 3.2.
func (s section) canRefer() bool {
	switch s {
	case parameters, headers, requestBodies, responses, mediaTypes, securitySchemes, schemas:
		return true
	default:
		return false
	}
}

// want says what a keyword's value must be.
type want uint8

// The wants.
const (
	// wantText is a string. Another scalar is taken as it is spelled: authors forget quotes.
	wantText want = iota + 1
	// wantBool is a boolean, or the strings "true" and "false".
	wantBool
	// wantNumber is a number.
	wantNumber
	// wantTexts is a list of strings, wantTypes a string or a list of strings.
	wantTexts
	wantTypes
	// wantValues is a list of anything, wantAny is anything.
	wantValues
	wantAny
	// wantObject is an object of a section, wantMap a map and wantList a list of them.
	wantObject
	wantMap
	wantList
	// wantItems is a schema, or a list of schemas as JSON Schema had it before 2020-12.
	wantItems
	// wantExtra is a schema or a boolean: additionalProperties.
	wantExtra
	// wantMapping is the mapping of a discriminator: names of schemas and references to them.
	wantMapping
	// wantMapped is the name of a schema or a reference to it.
	wantMapped
	// wantSecurity is a list of security requirements.
	wantSecurity
	// wantScopes is a map of scopes to what they are for.
	wantScopes
)

// String says what is wanted, as diagnostics do.
func (w want) String() string {
	switch w {
	case wantText:
		return "a string"
	case wantBool:
		return "a boolean"
	case wantNumber:
		return "a number"
	case wantTexts:
		return "a list of strings"
	case wantTypes:
		return "a type or a list of types"
	case wantValues, wantList, wantSecurity:
		return "a list"
	default:
		return "an object"
	}
}

// keyword is one keyword of a section's objects.
type keyword struct {
	name string
	want want
	of   section
}

// grammar is what the loader reads of each section's objects. A keyword that is not here says nothing to a client (examples,
// external documentation, constraints on values) and does not come into the bundle.
var grammar = map[section][]keyword{
	operations: {
		{name: "operationId", want: wantText},
		{name: "summary", want: wantText},
		{name: "description", want: wantText},
		{name: "deprecated", want: wantBool},
		{name: "tags", want: wantTexts},
		{name: "parameters", want: wantList, of: parameters},
		{name: "requestBody", want: wantObject, of: requestBodies},
		{name: "responses", want: wantMap, of: responses},
		{name: "security", want: wantSecurity},
		{name: "servers", want: wantList, of: servers},
	},
	parameters: {
		{name: "name", want: wantText},
		{name: "in", want: wantText},
		{name: "description", want: wantText},
		{name: "required", want: wantBool},
		{name: "deprecated", want: wantBool},
		{name: "style", want: wantText},
		{name: "explode", want: wantBool},
		{name: "allowReserved", want: wantBool},
		{name: "schema", want: wantObject, of: schemas},
		{name: "content", want: wantMap, of: mediaTypes},
	},
	headers: {
		{name: "description", want: wantText},
		{name: "required", want: wantBool},
		{name: "deprecated", want: wantBool},
		{name: "explode", want: wantBool},
		{name: "schema", want: wantObject, of: schemas},
		{name: "content", want: wantMap, of: mediaTypes},
	},
	requestBodies: {
		{name: "description", want: wantText},
		{name: "required", want: wantBool},
		{name: "content", want: wantMap, of: mediaTypes},
	},
	responses: {
		{name: "description", want: wantText},
		{name: "headers", want: wantMap, of: headers},
		{name: "content", want: wantMap, of: mediaTypes},
	},
	mediaTypes: {
		{name: "schema", want: wantObject, of: schemas},
		{name: "itemSchema", want: wantObject, of: schemas},
		{name: "encoding", want: wantMap, of: encodings},
	},
	encodings: {
		{name: "contentType", want: wantText},
		{name: "headers", want: wantMap, of: headers},
		{name: "style", want: wantText},
		{name: "explode", want: wantBool},
	},
	servers: {
		{name: "name", want: wantText},
		{name: "url", want: wantText},
		{name: "description", want: wantText},
		{name: "variables", want: wantMap, of: serverVariables},
	},
	serverVariables: {
		{name: "default", want: wantText},
		{name: "description", want: wantText},
		{name: "enum", want: wantTexts},
	},
	securitySchemes: {
		{name: "type", want: wantText},
		{name: "description", want: wantText},
		{name: "name", want: wantText},
		{name: "in", want: wantText},
		{name: "scheme", want: wantText},
		{name: "flows", want: wantObject, of: oauthFlows},
	},
	inboundRequests: {
		{name: "requestBody", want: wantObject, of: requestBodies},
	},
	oauthFlows: { // of the other flows a client gets its token from elsewhere
		{name: "clientCredentials", want: wantObject, of: oauthFlow},
	},
	oauthFlow: {
		{name: "tokenUrl", want: wantText},
		{name: "scopes", want: wantScopes},
	},
	discriminators: {
		{name: "propertyName", want: wantText},
		{name: "mapping", want: wantMapping},
		{name: "defaultMapping", want: wantMapped},
	},
	schemas: {
		{name: "title", want: wantText},
		{name: "description", want: wantText},
		{name: "deprecated", want: wantBool},
		{name: "readOnly", want: wantBool},
		{name: "writeOnly", want: wantBool},
		{name: "nullable", want: wantBool},
		{name: "x-nullable", want: wantBool},
		{name: "type", want: wantTypes},
		{name: "format", want: wantText},
		{name: "contentEncoding", want: wantText},
		{name: "contentMediaType", want: wantText},
		{name: "contentSchema", want: wantObject, of: schemas},
		{name: "minimum", want: wantNumber},
		{name: "maximum", want: wantNumber},
		{name: "enum", want: wantValues},
		{name: "const", want: wantAny},
		{name: "x-enum-varnames", want: wantTexts},
		{name: "x-enumNames", want: wantTexts},
		{name: "x-enum-descriptions", want: wantTexts},
		{name: "properties", want: wantMap, of: schemas},
		{name: "required", want: wantTexts},
		{name: "additionalProperties", want: wantExtra},
		{name: "unevaluatedProperties", want: wantExtra},
		{name: "patternProperties", want: wantMap, of: schemas},
		{name: "then", want: wantObject, of: schemas},
		{name: "else", want: wantObject, of: schemas},
		{name: "dependentSchemas", want: wantMap, of: schemas},
		{name: "items", want: wantItems},
		{name: "prefixItems", want: wantList, of: schemas},
		{name: "allOf", want: wantList, of: schemas},
		{name: "oneOf", want: wantList, of: schemas},
		{name: "anyOf", want: wantList, of: schemas},
		{name: "discriminator", want: wantObject, of: discriminators},
	},
}

// keywordOf returns what the loader reads under a key of a section's objects.
func keywordOf(s section, name string) (keyword, bool) {
	for _, k := range grammar[s] {
		if k.name == name {
			return k, true
		}
	}
	return keyword{}, false
}
