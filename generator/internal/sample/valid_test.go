package sample_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
)

// oracle validates samples by the schemas of the document itself, as kin-openapi reads it: nothing of resgen is between.
type oracle struct{ doc *openapi3.T }

// newOracle reads a document; nil where kin-openapi cannot.
func newOracle(data []byte) *oracle {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(data)
	if err != nil {
		return nil
	}
	return &oracle{doc: doc}
}

// request says what is wrong with the body of a request; nil where there is none in JSON.
func (o *oracle) request(op *plan.Operation, literal string) error {
	b := op.Request.Body
	kin := o.operation(op)
	if b == nil || b.Codec != plan.JSONCodec || kin == nil || kin.RequestBody == nil || kin.RequestBody.Value == nil {
		return nil
	}
	body := []byte(literal)
	if b.Field != "" {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(body, &fields); err != nil {
			return fmt.Errorf("the literal: %w", err)
		}
		if body = fields[b.Field]; body == nil {
			return nil
		}
	}
	return valid(kin.RequestBody.Value.Content[b.MediaType], body, openapi3.VisitAsRequest())
}

// answer says what is wrong with the body of an answer.
func (o *oracle) answer(op *plan.Operation, a sample.Answer) error {
	kin := o.operation(op)
	if kin == nil || kin.Responses == nil || op.Response.Stream != nil || !strings.Contains(a.MediaType, "json") {
		return nil
	}
	said := kin.Responses.Value(fmt.Sprint(a.Status))
	if said == nil || said.Value == nil {
		return nil
	}
	return valid(said.Value.Content[a.MediaType], []byte(a.Body), openapi3.VisitAsResponse())
}

func (o *oracle) operation(op *plan.Operation) *openapi3.Operation {
	bind, _ := op.Model.Bind.(*model.HTTPBinding)
	item := o.doc.Paths.Value(bind.Spelled())
	if item == nil {
		return nil
	}
	return item.GetOperation(bind.Method)
}

// valid validates a body by its schema. What kin-openapi cannot judge is no fault: patterns that Go cannot read, and alternatives that overlap, of
// which the smallest value is often of several.
func valid(media *openapi3.MediaType, body []byte, as openapi3.SchemaValidationOption) error {
	if media == nil || media.Schema == nil || media.Schema.Value == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	err := media.Schema.Value.VisitJSON(v, as, openapi3.MultiErrors())
	if err != nil && (strings.Contains(err.Error(), "error parsing regexp") || strings.Contains(err.Error(), "more than one oneOf")) {
		return nil
	}
	return err
}
