package plan

import (
	"net/http"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// otherRequests are the media types of a request body that the chosen one does not stand for: of each, one way to send it.
func (t *typer) otherRequests(all []model.Content, chosen *choice) []*choice {
	known := []*choice{chosen}
	for i := range all {
		c := t.requestChoice(&all[i])
		if c.content == chosen.content {
			continue
		}
		at := slices.IndexFunc(known, func(k *choice) bool { return t.isSent(k, &c) })
		switch {
		case at < 0:
			known = append(known, &c)
		case c.codec == BinaryCodec && known[at].codec == BinaryCodec:
			known[at].media += ", " + c.media // the caller's content says which
		}
	}
	return known[1:]
}

// isSent reports whether who can send a body in one media type misses nothing of another: it is the same, or there is no codec for it
// and the same is said.
func (t *typer) isSent(known, other *choice) bool {
	isForm := func(c *choice) bool {
		return c.codec == FormCodec || c.codec == MultipartCodec && mediaType(c.media) == "multipart/form-data"
	}
	switch {
	case isForm(other) && isForm(known): // two ways to fill in one form, of which parts have room for files
		return t.sameBody(other.elem, known.elem) && (known.codec == MultipartCodec || !t.hasFiles(*other))
	case other.codec != known.codec:
		return (other.untyped || other.codec == BinaryCodec) && !t.isBytes(other.elem) && t.sameBody(other.elem, known.elem)
	}
	switch other.codec {
	case BinaryCodec:
		return true
	case TextCodec:
		return mediaType(other.media) == mediaType(known.media)
	case MultipartCodec:
		return mediaType(other.media) == mediaType(known.media) && t.sameBody(other.elem, known.elem)
	case JSONCodec:
		return sameElem(other.elem, known.elem) &&
			(!isPatch(other.media) || !isPatch(known.media) || mediaType(other.media) == mediaType(known.media))
	case FormCodec, LinesCodec, NoCodec:
		return t.sameBody(other.elem, known.elem)
	default:
		return false
	}
}

// isPatch reports a media type that says how a body is applied, and not only how it is written. Beside plain JSON it says no more: some
// frameworks list it for whatever takes JSON.
func isPatch(media string) bool { return strings.Contains(mediaType(media), "patch") }

// otherAnswers are the media types of the successes of an operation that are of another kind, or describe another body, than those that
// the plain method reads: of each, one way to read it.
func (t *typer) otherAnswers(bind *model.HTTPBinding) []choice {
	var out []choice
	for i := range bind.Responses {
		r := &bind.Responses[i]
		if !isSuccess(bind.Responses, r.Code) || hasNoBody(bind.Method, r.Code) {
			continue
		}
		chosen, ok := t.answerContent(r.Contents)
		for j := range r.Contents {
			c := t.answerChoice(&r.Contents[j])
			if !ok || c.content == chosen.content || streamFormat(c.media).Streams() || c.stands(&chosen) ||
				t.sameBody(c.elem, chosen.elem) {
				continue
			}
			isSame := func(k choice) bool {
				return c.stands(&k) && (c.codec != TextCodec || mediaType(c.media) == mediaType(k.media))
			}
			if !slices.ContainsFunc(out, isSame) { // who wants CSV has no use for plain text
				out = append(out, c)
			}
		}
	}
	return out
}

// stands reports whether two answers are read alike.
func (c *choice) stands(other *choice) bool {
	return c.codec == other.codec && (c.codec != JSONCodec || sameElem(c.elem, other.elem))
}

// hasNoBody reports a success that never has a body.
func hasNoBody(method, code string) bool {
	lo, _ := statuses(code)
	return method == http.MethodHead || lo == http.StatusNoContent || lo == http.StatusResetContent
}

// warnOtherStreams reports items in a second format, which no method reads.
func (r *resolver) warnOtherStreams(op *model.Operation, bind *model.HTTPBinding, format policy.StreamFormat) {
	var others []string
	pos := op.Pos
	for i := range bind.Responses {
		all := bind.Responses[i].Contents
		if !isSuccess(bind.Responses, bind.Responses[i].Code) {
			continue
		}
		for j := range all {
			if f := streamFormat(all[j].MediaType); !f.Streams() || f == format {
				continue
			}
			if len(others) == 0 && all[j].Pos.IsValid() {
				pos = all[j].Pos
			}
			others = append(others, quote(all[j].MediaType))
		}
	}
	if len(others) == 0 {
		return
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.OtherMediaType, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: "the stream of " + nameOf(op) + " is read as " + format.String() + "; no method has it in " + strings.Join(others, ", "),
		Why:  "a stream has one format",
		Fix:  "nothing to do where that one is enough; else say `stream: {format: ...}`, or remove it by an overlay, and the next is chosen",
	})
}

// sameBody reports whether two bodies say the same: they are of one type, or objects of the same fields, which files in a form and in
// parts are.
func (t *typer) sameBody(a, b model.Elem) bool {
	if sameElem(a, b) {
		return true
	}
	ours, ok := t.follow(a.Type).typ.(model.Object)
	theirs, also := t.follow(b.Type).typ.(model.Object)
	return ok && also && len(ours.Fields) > 0 &&
		slices.EqualFunc(ours.Fields, theirs.Fields, func(f, g model.Field) bool { return f.Name == g.Name })
}
