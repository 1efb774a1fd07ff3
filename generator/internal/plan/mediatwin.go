package plan

import (
	"mime"
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// mediaTwin says in what a further method differs from the plain method of its operation: it sends its request, or reads its answer,
// in a media type that the plain method has not. There is no method that differs in both.
type mediaTwin struct {
	// of is the plain method.
	of *method
	// asks says that the request differs; else the answer does.
	asks bool
	// media is the media type, as the document spells it.
	media string
	// plan is what it runs, and doc the paragraph that says so; a nil plan is that of the plain method, with all its machines.
	plan *policy.Plan
	doc  string
}

// addMediaTwins adds the methods for the media types that the plain method of an operation neither sends nor reads.
func (r *resolver) addMediaTwins(plain *method) {
	a := plain.ask
	if a.body != nil {
		for _, c := range r.types.otherRequests(a.bind.Body.Contents, a.body) {
			ask := *a
			ask.body, ask.plain = c, a
			ask.record = len(a.bind.Params) > 0 || c.codec != JSONCodec
			r.warnUntyped(&ask)
			r.methods = append(r.methods, &method{ask: &ask, answer: plain.answer, media: &mediaTwin{of: plain, asks: true, media: c.media}})
		}
	}
	if plain.answer.streams() {
		return
	}
	for _, c := range r.types.otherAnswers(a.bind) {
		m := &method{ask: a, answer: r.types.answerLike(a.bind, &c), media: &mediaTwin{of: plain, media: c.media}}
		r.methods = append(r.methods, m)
	}
}

// nameMediaTwins names the methods for further media types, and what derives from them. They come after everything else: a media type
// that is added renames nothing.
func (r *resolver) nameMediaTwins() {
	var twins []*method
	var tier []wish
	for _, m := range r.methods {
		if m.media == nil {
			continue
		}
		twins = append(twins, m)
		name, parameters := m.media.of.goName+m.media.suffix(m), ident(parametersOf(m.media.media), "")
		way := " as "
		if m.media.asks {
			way = " with "
		}
		w := wish{id: "method " + m.ask.op.ID + way + m.media.media, pos: m.ask.op.Pos, text: m.media.media, names: []string{name}}
		if parameters != "" && parameters != "Empty" {
			w.names = append(w.names, name+parameters)
		}
		if m.media.asks {
			w.names = append(w.names, name+"Body")
		} else {
			w.names = append(w.names, name+"Answer")
		}
		tier = append(tier, w)
	}
	for i, name := range r.allot(r.methodNames, tier) {
		m := twins[i]
		m.goName = name
		r.pkg.taken["new"+name], r.pkg.taken["read"+name] = true, true
		if m.media.asks {
			m.ask.goName = name
		}
	}
	r.nameDerived(twins)
	for _, m := range twins {
		if m.media.asks {
			m.several, m.variants = m.media.of.several, m.media.of.variants
		}
		r.planMediaTwin(m)
	}
	r.nameTwinFields(twins)
}

// nameTwinFields gives the twins that run a policy of their own the stems of their names; the others have those of the plain method.
func (r *resolver) nameTwinFields(twins []*method) {
	var own []*method
	var tier []wish
	for _, m := range twins {
		if m.field = m.media.of.field; m.media.plan == nil {
			continue
		}
		stem := unexported(m.goName)
		own, tier = append(own, m), append(tier, wish{id: m.goName, pos: m.ask.op.Pos, text: m.goName, names: []string{stem, stem + "Op"}})
	}
	for i, name := range r.client.allot(tier, nil) {
		own[i].field = name
		r.pkg.taken[name+"Policy"] = true
	}
}

// suffix is what the name of a twin ends in: With for a request, As for an answer, and the media type in a word. It depends on the
// media type alone.
func (t *mediaTwin) suffix(m *method) string {
	if !t.asks {
		for i := range m.answer.cases {
			if c := &m.answer.cases[i].choice; c.media == t.media {
				return "As" + c.word()
			}
		}
		return "As" + mediaWord(t.media)
	}
	return "With" + m.ask.body.word()
}

// word names how a body is spoken.
func (c *choice) word() string {
	switch c.codec {
	case FormCodec:
		return "Form"
	case MultipartCodec:
		if base := mediaType(c.media); base != "multipart/form-data" {
			return mediaWord("x/" + strings.Replace(base, "/", "-", 1))
		}
		return "Multipart"
	case BinaryCodec:
		return "Bytes"
	case LinesCodec:
		if streamFormat(c.media) == policy.JSONSeq {
			return "JSONSeq"
		}
		return "JSONLines"
	case JSONCodec, TextCodec, NoCodec:
		return mediaWord(c.media)
	default:
		return mediaWord(c.media)
	}
}

// mediaWord is a media type in a word: JSON, GithubStarJSON, Text, CSV.
func mediaWord(media string) string {
	kind, sub, _ := strings.Cut(mediaType(media), "/")
	for _, prefix := range []string{"x-", "vnd.", "prs."} {
		sub = strings.TrimPrefix(sub, prefix)
	}
	switch {
	case kind == "text" && sub == "plain", sub == "*" && kind == "text":
		return "Text"
	case sub == "*" || sub == "json":
		return "JSON"
	}
	const initials = 4
	if len(sub) <= initials {
		sub = strings.ToUpper(sub)
		if isIdent := ident(sub, ""); strings.EqualFold(isIdent, sub) {
			return sub
		}
	}
	if stem, isJSON := strings.CutSuffix(sub, "+json"); isJSON && !strings.Contains(stem, "json") {
		return ident(stem, "") + "JSON"
	}
	return ident(strings.TrimSuffix(sub, "+json"), "")
}

// parametersOf are the values of a media type's parameters, in the order of their names.
func parametersOf(media string) string {
	_, parameters, err := mime.ParseMediaType(media)
	if err != nil {
		_, rest, _ := strings.Cut(media, ";")
		return rest
	}
	words := make([]string, 0, len(parameters))
	for name, value := range parameters {
		words = append(words, name+" "+value)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// planMediaTwin finds out what a twin runs: the policy of the plain method and its very machines, or, where some of that does not fit it,
// the rest of it under its own name. A fixed or remembered answer is one to the plain method, and so is a function's; a patch is kept
// where it fits the request; what may be a reader is not hedged.
func (r *resolver) planMediaTwin(m *method) {
	m.media.plan, m.media.doc = nil, ""
	plain := r.plan(m.media.of)
	facts := r.facts(m.ask.index).Rungs
	p := plain
	p.Cache = policy.CacheConfig{}
	p.Fallback.Rungs = slices.DeleteFunc(slices.Clone(p.Fallback.Rungs), func(rung policy.Rung) bool {
		switch rung.Sort {
		case policy.RungTarget:
			return false
		case policy.RungStatic:
			return !m.media.asks
		case policy.RungPatch:
			at := r.rungIndex(m.ask.index, rung.Name)
			return at < 0 || at >= len(facts) || !r.patches(m.ask, &facts[at])
		case policy.RungFunc, policy.RungOperation, policy.RungCache:
			return true
		default:
			return true
		}
	})
	if len(p.Fallback.Rungs) == 0 {
		p.Fallback.Rungs = nil
	}
	p.Exercise = exerciseOf(p.Exercise, p.Fallback.Rungs)
	if m.media.asks && (m.ask.body.codec == BinaryCodec || r.types.hasFiles(*m.ask.body)) {
		p.Hedge = policy.HedgeConfig{}
	}
	isWhole := len(p.Fallback.Rungs) == len(plain.Fallback.Rungs)
	if isWhole && reflect.DeepEqual(p.Hedge, plain.Hedge) && reflect.DeepEqual(p.Cache, plain.Cache) {
		return
	}
	p.Operation += strings.TrimPrefix(m.goName, m.media.of.goName)
	m.media.plan, m.media.doc = &p, r.policies.say[m.ask.index](&p)
}

// patches reports whether a rung's patch fits what a method takes.
func (r *resolver) patches(a *ask, fact *annot.RungFacts) bool {
	for i := range fact.Patch {
		if _, bad := r.assignment(a, &fact.Patch[i]); bad != nil && !bad.soft {
			return false
		}
	}
	return true
}

// answerLike is the answer of a method that reads one media type, wherever it is offered; what is offered in others only is read as the
// plain method does.
func (t *typer) answerLike(bind *model.HTTPBinding, like *choice) answer {
	return t.wholeAnswer(bind, func(all []model.Content) (choice, bool) {
		var found *choice
		plain, ok := t.answerContent(all)
		for i := range all {
			c := t.answerChoice(&all[i])
			isLike := c.stands(like) && !streamFormat(c.media).Streams() &&
				(c.codec != TextCodec || mediaType(c.media) == mediaType(like.media))
			switch {
			case isLike && !t.isBytes(c.elem) && c.codec == BinaryCodec && t.sameBody(c.elem, plain.elem): // the plain answer once more
			case isLike && found == nil:
				found = &c
			case isLike:
				found.also = append(found.also, c.media)
			}
		}
		if found == nil {
			return plain, ok
		}
		return *found, true
	})
}
