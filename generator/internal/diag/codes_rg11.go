package diag

// RG11xx: OpenAPI documents. What does not keep an operation from working is a warning; no operation is ever dropped.
const (
	NotOpenAPI            Code = "RG1100"
	OpenAPIVersion        Code = "RG1101"
	MalformedKeyword      Code = "RG1102"
	DanglingRef           Code = "RG1103"
	RefLoop               Code = "RG1104"
	SchemaCycle           Code = "RG1105"
	TooComplex            Code = "RG1106"
	Contradiction         Code = "RG1107"
	BadMapping            Code = "RG1108"
	DuplicateOperationID  Code = "RG1110"
	UndeclaredParameter   Code = "RG1111"
	UnusedParameter       Code = "RG1112"
	OptionalPathParameter Code = "RG1113"
	DuplicateParameter    Code = "RG1114"
	UnsupportedParameter  Code = "RG1115"
	InvalidStatus         Code = "RG1116"
	UnsupportedMedia      Code = "RG1117"
	UnsupportedSecurity   Code = "RG1118"
	UnknownSecurityScheme Code = "RG1119"
	UnmatchedPattern      Code = "RG1120"
	DanglingLink          Code = "RG1121"
	NoMethod              Code = "RG1122"
	Unconverted           Code = "RG1130"
	RawBody               Code = "RG1190"
	UnusableServer        Code = "RG1191"
	OtherMediaType        Code = "RG1192"
)

// rg11 is sorted by code.
var rg11 = []Entry{
	{
		Code: NotOpenAPI, Name: "NotOpenAPI", Summary: "the document is not an OpenAPI document",
		Explain: "An OpenAPI document is an object with the key `openapi` at its top, which says how everything below is read.",
		Example: "info: {title: Pets, version: '1'}\npaths: {}",
		Fix:     "openapi: 3.1.1\ninfo: {title: Pets, version: '1'}\npaths: {}",
	},
	{
		Code: OpenAPIVersion, Name: "OpenAPIVersion", Summary: "the document's version of OpenAPI is not known",
		Explain: "resgen reads OpenAPI 2.0 (Swagger), 3.0 and 3.1, and of 3.2 what has the same form, itemSchema, query and additionalOperations.",
		Example: "swagger: '1.2'",
		Fix:     "Write the version that the document was written for, or convert it to one of these first.",
	},
	{
		Code: MalformedKeyword, Name: "MalformedKeyword", Summary: "a keyword's value is not of the kind that it can be",
		Explain: "The document is read as if the value were not there. Only keywords that matter to a client are looked at.",
		Example: "name: {type: string, required: true}",
		Fix:     "type: object\nrequired: [name]\nproperties:\n  name: {type: string}",
	},
	{
		Code: DanglingRef, Name: "DanglingRef", Summary: "a reference leads nowhere",
		Explain: "What stands there is not known. A schema is taken for any value (raw JSON), a parameter or header is left out, a body is raw.",
		Example: "schema: {$ref: '#/components/schemas/Pett'}",
		Fix:     "schema: {$ref: '#/components/schemas/Pet'}",
	},
	{
		Code: RefLoop, Name: "RefLoop", Summary: "references lead back to where they began and describe nothing",
		Explain: "Schemas that are only names for one another, or an alternative that is its own union by another name, say nothing of " +
			"what a value is. Any value is taken for them. Recursion through a property or a list is fine.",
		Example: "A: {$ref: '#/components/schemas/B'}\nB: {$ref: '#/components/schemas/A'}",
		Fix:     "A: {type: string}\nB: {$ref: '#/components/schemas/A'}",
	},
	{
		Code: SchemaCycle, Name: "SchemaCycle", Summary: "a schema contains itself through allOf",
		Explain: "Each value would have to be its own base, so that there is no end to what it contains. It is a warning where no " +
			"operation reaches the schema.",
		Example: "Node:\n  allOf:\n    - $ref: '#/components/schemas/Node'\n    - properties: {name: {type: string}}",
		Fix:     "Node:\n  properties:\n    name: {type: string}\n    parent: {$ref: '#/components/schemas/Node'}",
	},
	{
		Code: TooComplex, Name: "TooComplex", Summary: "a schema nests too deep or combines too many others",
		Explain: "Its values are raw JSON. The limits (150 inline types in one another, 1,000 schemas in one allOf, 10,000 properties, " +
			"values or alternatives) are far above any real document, and keep a hostile one from exhausting memory.",
		Example: "X: {type: object, properties: {a: {type: object, properties: {a: {type: object, properties: ...}}}}}   # 151 deep",
		Fix:     "Give inner parts a place under components/schemas, and refer to them.",
	},
	{
		Code: Contradiction, Name: "Contradiction", Summary: "schemas that hold together ask for different types",
		Explain: "No value satisfies all of them. Where they ask for different types the value stays raw JSON; where they list " +
			"different values, all of these are known.",
		Example: "allOf: [{type: string}, {type: integer}]",
		Fix:     "oneOf: [{type: string}, {type: integer}]",
	},
	{
		Code: BadMapping, Name: "BadMapping", Summary: "an entry of a discriminator's mapping leads to no schema",
		Explain: "The tag selects nothing: a value that carries it is kept as it came.",
		Example: "mapping: {cat: '#/components/schemas/Katze'}",
		Fix:     "mapping: {cat: '#/components/schemas/Cat'}",
	},
	{
		Code: DuplicateOperationID, Name: "DuplicateOperationID", Summary: "an operationId is used twice",
		Explain: "The first operation keeps it. The other one is called by it and by its method and path, which does not change when " +
			"more are added.",
		Example: "/cats: {get: {operationId: list}}\n/dogs: {get: {operationId: list}}      # becomes list_get_dogs",
		Fix:     "/cats: {get: {operationId: listCats}}\n/dogs: {get: {operationId: listDogs}}",
	},
	{
		Code: UndeclaredParameter, Name: "UndeclaredParameter", Summary: "a path has a parameter that is not declared",
		Explain: "Its value is needed to make the path, so the operation has it as a required string.",
		Example: "/pets/{id}: {get: {operationId: getPet}}",
		Fix:     "/pets/{id}:\n  parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n  get: {operationId: getPet}",
	},
	{
		Code: UnusedParameter, Name: "UnusedParameter", Summary: "a path parameter is not in its path",
		Explain: "There is no place to send it, so it is left out.",
		Example: "/pets: {get: {parameters: [{name: id, in: path, required: true}]}}",
		Fix:     "/pets/{id}: {get: {parameters: [{name: id, in: path, required: true}]}}",
	},
	{
		Code: OptionalPathParameter, Name: "OptionalPathParameter", Summary: "a path parameter is not marked as required",
		Explain: "Without its value the path would be another one, so it is treated as required.",
		Example: "{name: id, in: path, schema: {type: string}}",
		Fix:     "{name: id, in: path, required: true, schema: {type: string}}",
	},
	{
		Code: DuplicateParameter, Name: "DuplicateParameter", Summary: "a parameter is listed twice",
		Explain: "A parameter is known by its name and its place. The first one counts. That an operation replaces a parameter of its " +
			"path is no fault.",
		Example: "parameters:\n  - {name: limit, in: query, schema: {type: integer}}\n  - {name: limit, in: query, schema: {type: string}}",
		Fix:     "Remove one of the two.",
	},
	{
		Code: UnsupportedParameter, Name: "UnsupportedParameter", Summary: "a parameter travels in a way that is not known",
		Explain: "Parameters travel in the path, the query, a header or a cookie, each with styles of its own, or as a JSON document. One " +
			"in another place is left out; one with a style that its place does not have is sent in the default style.",
		Example: "{name: filter, in: path, required: true, style: deepObject}",
		Fix:     "{name: filter, in: query, style: deepObject}",
	},
	{
		Code: InvalidStatus, Name: "InvalidStatus", Summary: "a response's key is no status",
		Explain: "Responses are told apart by a status, a range such as 4XX, or default. Another one cannot be told when it arrives, and " +
			"is handled as an unexpected status.",
		Example: "responses: {ok: {description: fine}}",
		Fix:     "responses: {'200': {description: fine}}",
	},
	{
		Code: UnsupportedMedia, Name: "UnsupportedMedia", Summary: "a structured body is only there in a media type without a codec",
		Explain: "resgen reads and writes JSON, forms, parts, text and server-sent events. Another structured body, such as XML, stays " +
			"raw: the operation takes or returns bytes.",
		Example: "content: {application/xml: {schema: {type: object, properties: {name: {type: string}}}}}",
		Fix:     "Nothing to do where bytes are enough; else offer the body as application/json.",
	},
	{
		Code: UnsupportedSecurity, Name: "UnsupportedSecurity", Summary: "a security scheme is not one that resgen makes credentials for",
		Explain: "Bearer tokens (OAuth 2 and OpenID Connect tokens among them), basic authentication and API keys are carried. Of another " +
			"HTTP scheme the caller gives the whole value of the Authorization header. Mutual TLS is the HTTP client's matter.",
		Example: "securitySchemes: {cert: {type: mutualTLS}}",
		Fix:     "Give the client an *http.Client whose transport carries the credential.",
	},
	{
		Code: UnknownSecurityScheme, Name: "UnknownSecurityScheme", Summary: "an operation requires a security scheme that is not declared",
		Explain: "How its credential travels is not known, so this alternative is left out.",
		Example: "security: [{token: []}]      # and nothing under components/securitySchemes",
		Fix:     "components: {securitySchemes: {token: {type: http, scheme: bearer}}}",
	},
	{
		Code: UnmatchedPattern, Name: "UnmatchedPattern", Summary: "a pattern of --include or --exclude matches no operation",
		Explain: "A pattern matches an operationId, or `METHOD /path` as the document spells it, as a whole. '*' stands for any text " +
			"without a slash, '**' for any text.",
		Example: "--include 'GET /pets/*'      # and the document has /v1/pets/{id}",
		Fix:     "--include 'GET /v1/pets/*'",
	},
	{
		Code: DanglingLink, Name: "DanglingLink", Summary: "a link leads to no operation of the document",
		Explain: "A link says which operation to go on with after an answer; the comment of the method names it. This one names an operation that " +
			"the document does not have.",
		Example: "links: {owner: {operationId: getUsr}}",
		Fix:     "links: {owner: {operationId: getUser}}",
	},
	{
		Code: NoMethod, Name: "NoMethod", Summary: "an operation stands where its method cannot be told",
		Explain: "An operation stands under its method in lower case, one of a method without a keyword below `additionalOperations`. Under another " +
			"spelling it is read all the same, with a warning. A method that is there twice, or that HTTP cannot send, is an error: a client " +
			"without the operation would lose it in silence.",
		Example: "/pets:\n  GET: {operationId: listPets, responses: {'204': {description: Done.}}}",
		Fix:     "/pets:\n  get: {operationId: listPets, responses: {'204': {description: Done.}}}",
	},
	{
		Code: Unconverted, Name: "Unconverted", Summary: "what a document of OpenAPI 2.0 says cannot be said in OpenAPI 3",
		Explain: "A document of OpenAPI 2.0 (Swagger) is read as one of 3.0. Lists in paths and headers that are not separated by commas are text for " +
			"the caller to write; a second parameter for the body, or a form beside it, has no place in the request.",
		Example: "parameters: [{name: ids, in: path, required: true, type: array, items: {type: string}, collectionFormat: pipes}]",
		Fix:     "parameters: [{name: ids, in: path, required: true, type: array, items: {type: string}, collectionFormat: csv}]",
	},
	{
		Code: RawBody, Name: "RawBody", Summary: "a body that the generated method takes or returns as bytes",
		Explain: "The document says more of the body than resgen can type in its media type: a form that is no object, lines of JSON to be sent, a " +
			"structure as text, a file beside a JSON answer. The operation is there, and its body is for the caller to write or read.",
		Example: "requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: array, items: {type: string}}}}}",
		Fix:     "Nothing to do where the bytes are enough; else describe the body as JSON, or the form as an object, by an overlay.",
	},
	{
		Code: UnusableServer, Name: "UnusableServer", Summary: "a server of the document that is no base address",
		Explain: "A base address is an http or https URL without query and fragment. Its variables have defaults. A server without a host is relative " +
			"to where the document lies, which a client cannot know. Without an address of its own the client must be given one by WithBaseURL.",
		Example: "servers: [{url: '{scheme}://api.example.com/v1'}]",
		Fix:     "servers: [{url: 'https://api.example.com/v1'}]",
	},
	{
		Code: OtherMediaType, Name: "OtherMediaType", Summary: "a format of a stream that no generated method reads",
		Explain: "Each media type that describes another body, or is of another kind, has a method of its own: `CreateImageWithMultipart` beside " +
			"`CreateImage`, `ExportAsCSV` beside `Export`. A stream has one: where a response offers its items in several formats, the first is read.",
		Example: "'200': {description: Chunks., content: {text/event-stream: {schema: {$ref: '#/components/schemas/Chunk'}}, " +
			"application/jsonl: {schema: {$ref: '#/components/schemas/Chunk'}}}}",
		Fix: "Nothing to do where that format is enough; else name the other in `stream: {format: jsonl}`.",
	},
}
