// Package swagger turns a document of OpenAPI 2.0, which was called Swagger, into one of OpenAPI 3.0.
//
//	paths:        consumes, produces, body and formData ──▶ requestBody, content
//	parameters:   type, items, collectionFormat         ──▶ schema, style, explode
//	host, schemes, securityDefinitions                  ──▶ servers, components.securitySchemes
//
// What can stay where it is stays: definitions, and the parameters and responses that have names. Most references are thus as
// their author wrote them, and every node keeps its position, so that what is said of a converted document leads to the words of
// the document that was written.
//
// Read in this order: convert.go (the document), operation.go, body.go, parameter.go, response.go, media.go (which media types a
// body has), schema.go (what schemas of 2.0 have that those of 3.0 have not), refs.go (references into what has moved).
package swagger
