package sample

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Answer is an answer as it travels.
type Answer struct {
	Status int
	// MediaType is that of the body; empty where there is none.
	MediaType string
	// Body is the whole body, as it is sent. Of a stream it has the items with their framing, and the marker of the end.
	Body string
	// Text is a body that is a text as it is, not JSON.
	Text bool
	// Items are the items of a stream, each as JSON, or as the text that it is; nil for any other answer.
	Items []string
	// Marker ends a stream, after its items; empty for none.
	Marker string
}

// Answer returns the first success of an operation. The runtime takes it for a whole and good answer, as far as that shows in it. With an error
// it has no body.
func (m *Maker) Answer(op *plan.Operation) (Answer, error) {
	c := success(op)
	if c == nil {
		return Answer{}, fmt.Errorf("answer of %s: %w", op.GoName, ErrNoSuccess)
	}
	out := Answer{Status: c.Lo}
	w := m.work(answered)
	var err error
	switch {
	case op.Response.Stream != nil:
		err = w.stream(op, c, &out)
	case c.Codec == plan.JSONCodec:
		out.MediaType = Spelled(c.MediaType, "application/json")
		out.Body, err = w.body(op, c)
	case c.Codec == plan.TextCodec:
		out.MediaType, out.Text = Spelled(c.MediaType, "text/plain"), true
		out.Body, err = plainText(answerLimits(op, c))
	case c.Codec == plan.BinaryCodec:
		out.MediaType, out.Body = Spelled(c.MediaType, "application/octet-stream"), "content"
		if strings.Contains(out.MediaType, "json") {
			out.Body = "{}"
		}
	}
	if err != nil {
		return Answer{Status: out.Status, MediaType: out.MediaType}, fmt.Errorf("answer of %s: %w", op.GoName, err)
	}
	return out, nil
}

// success is the first case of a success; nil for none.
func success(op *plan.Operation) *plan.ResponseCase {
	for i := range op.Response.Cases {
		if c := &op.Response.Cases[i]; !c.Failure && c.Lo >= 200 && c.Lo < 300 {
			return c
		}
	}
	return nil
}

// Spelled is a media type that can be sent, for one that may be a range.
func Spelled(media, otherwise string) string {
	if media == "" || strings.Contains(media, "*") {
		return otherwise
	}
	return media
}

// body is the JSON of an answer.
func (w *work) body(op *plan.Operation, c *plan.ResponseCase) (string, error) {
	v, err := w.value(c.Type, answerLimits(op, c))
	if err != nil {
		return "", err
	}
	judge := policy.NewJudge(&op.Policy)
	body := plan.CompactJSON(&v)
	if !judge.Of(c.Lo, []byte(body)).Failed {
		return body, nil
	}
	for _, known := range wholeAnswers {
		full, err := w.filled(c.Type, parsed(known))
		if err != nil {
			continue
		}
		if body = plan.CompactJSON(&full); !judge.Of(c.Lo, []byte(body)).Failed {
			return body, nil
		}
	}
	return "", fmt.Errorf("%w: %s says that the answer failed, by the annotations of errors", ErrUnsolved, plan.CompactJSON(&v))
}

// plainText is the text of an answer.
func plainText(l *model.Limits) (string, error) {
	v, err := textValue(l)
	return v.Text, err
}

// answerLimits are the limits of an answer's body.
func answerLimits(op *plan.Operation, c *plan.ResponseCase) *model.Limits {
	bind, _ := op.Model.Bind.(*model.HTTPBinding)
	if bind == nil {
		return nil
	}
	for i := range bind.Responses {
		r := &bind.Responses[i]
		if r.Code == "default" || len(r.Code) != 3 || r.Code[0] != '2' {
			continue
		}
		for j := range r.Contents {
			if r.Contents[j].MediaType == c.MediaType && (strings.HasSuffix(strings.ToUpper(r.Code), "XX") || r.Code == strconv.Itoa(c.Lo)) {
				return r.Contents[j].Limits
			}
		}
	}
	return nil
}

// parsed reads a constant of this package.
func parsed(text string) *source.Value {
	f, err := source.Read("sample", []byte(text))
	if err != nil {
		panic(err)
	}
	return f
}
