package annot

import (
	"encoding/json"
	"fmt"
)

// schema is the part of JSON Schema (draft 2020-12) that annotations need.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Format      string             `json:"format,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Minimum     *float64           `json:"minimum,omitempty"`
	Maximum     *float64           `json:"maximum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  *schema            `json:"-"`
	Closed      bool               `json:"-"`
	Items       *schema            `json:"items,omitempty"`
	UniqueItems bool               `json:"uniqueItems,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	MaxItems    int                `json:"maxItems,omitempty"`
	Names       *schema            `json:"propertyNames,omitempty"`
	MinNames    int                `json:"minProperties,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Not         *schema            `json:"not,omitempty"`
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

// MarshalJSON writes additionalProperties, which is a schema or false.
func (s *schema) MarshalJSON() ([]byte, error) {
	type plain schema
	out := struct {
		*plain

		AdditionalProperties any `json:"additionalProperties,omitempty"`
	}{plain: (*plain)(s)}
	switch {
	case s.Additional != nil:
		out.AdditionalProperties = s.Additional
	case s.Closed:
		out.AdditionalProperties = false
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return data, nil
}

// nullable is the schema, or null: it removes what lower layers say.
func (s *schema) nullable() *schema { return &schema{AnyOf: []*schema{s, {Type: "null"}}} }

func (s *schema) described(doc string) *schema {
	s.Description = doc
	return s
}

// listSchema is a list as listOf takes it.
func listSchema(items *schema) *schema {
	return &schema{Type: "array", Items: items, MinItems: 1, MaxItems: LongestList}
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// ExtensionSchema returns the JSON Schema of x-resilience wherever it stands: at the top of a document, or at a path or an operation.
func ExtensionSchema() ([]byte, error) {
	return printSchema("x-resilience", &schema{
		AnyOf: []*schema{{Ref: "#/$defs/document"}, {Ref: "#/$defs/operation"}},
		Defs:  map[string]*schema{"document": sharedSchema("rules"), "operation": operationSection.describe().schema},
	})
}

// OperationSchema returns the JSON Schema of an x-resilience object at a path or an operation.
func OperationSchema() ([]byte, error) {
	return printSchema("x-resilience of a path or an operation", operationSection.describe().schema)
}

// DocumentSchema returns the JSON Schema of an x-resilience object at the top of a document.
func DocumentSchema() ([]byte, error) {
	return printSchema("x-resilience of a document", sharedSchema("rules"))
}

// PolicyFileSchema returns the JSON Schema of a policy file.
func PolicyFileSchema() ([]byte, error) { return printSchema("resgen policy file", sharedSchema("")) }

func sharedSchema(without string) *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{}, Closed: true}
	for i := range shared {
		if e := &shared[i]; e.field.key != without {
			s.Properties[e.field.key] = e.field.shape.describe().schema.nullable().described(e.Text)
		}
	}
	return s
}

func printSchema(title string, s *schema) ([]byte, error) {
	s.Dialect, s.Title = dialect, title
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", title, err)
	}
	return append(data, '\n'), nil
}
