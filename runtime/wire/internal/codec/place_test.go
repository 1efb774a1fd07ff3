package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

type (
	asJSON    string
	asText    string
	addsText  string
	unlessNot string
	Inner     struct {
		Skip  [3]byte `json:"-"`
		Inner string  `json:"inner"`
		Odd   color   `json:"odd,omitempty"`
	}
	Outer struct {
		Inner

		Deep string `json:"deep"`
	}
	Behind struct {
		Behind string `json:"behind"`
	}
)

func (s *asJSON) MarshalJSON() ([]byte, error)         { return fmt.Appendf(nil, "[%q]", string(*s)), nil }
func (s *asText) MarshalText() ([]byte, error)         { return []byte("<" + *s + ">"), nil }
func (s addsText) MarshalText() ([]byte, error)        { return s.AppendText(nil) }
func (s addsText) AppendText(b []byte) ([]byte, error) { return append(b, "+"+s...), nil }
func (s unlessNot) IsZero() bool                       { return s == "not" }

// TestTextFields has a text in each way that a struct may hold one: what is written without reflection, and what must not be.
func TestTextFields(t *testing.T) {
	t.Parallel()
	type texts struct {
		*Behind
		Outer

		One     bool        `json:"one"`
		Plain   string      `json:"plain"`
		Kind    color       `json:"kind"`
		Empty   string      `json:"empty,omitempty"`
		Zero    color       `json:"zero,omitzero"`
		Method  unlessNot   `json:"method,omitzero"`
		Method2 unlessNot   `json:"method2,omitempty"`
		JSON    asJSON      `json:"json"`
		Text    asText      `json:"text"`
		Adds    addsText    `json:"adds,omitzero"`
		Number  json.Number `json:"number"`
		Quoted  string      `json:"quoted,string"`
		Pointer *string     `json:"pointer"`
	}
	text := "a\n\u2028é\"" + strings.Repeat("long ", 20)
	for _, v := range []*texts{
		{},
		{Behind: &Behind{}, Method: "not", Method2: "not", Number: "1"},
		{
			&Behind{text},
			Outer{Inner: Inner{Inner: "in" + text, Odd: "odd"}, Deep: "deep"},
			true, text, "<&>" + color(text), "e", "z", "m", "n",
			asJSON("j"), asText("t"), addsText(text), "1e2", text, &text,
		},
	} {
		if got, err := Append(nil, v); err != nil || string(got) != standard(t, v) {
			t.Errorf("got  %s, %v\nwant %s", got, err, standard(t, v))
		}
	}
}

// TestOptionalTexts has optional texts in each of their states.
func TestOptionalTexts(t *testing.T) {
	t.Parallel()
	type texts struct {
		_     [5]byte
		Opt   opt[string]           `json:"opt"`
		Omit  opt[color]            `json:"omit,omitzero"`
		Empty opt[string]           `json:"empty,omitempty"` //nolint:modernize // that is what is tested
		Null  null[string]          `json:"null"`
		OmitN null[string]          `json:"omitn,omitzero"`
		Both  both[string]          `json:"both"`
		OmitB both[color]           `json:"omitb,omitzero"`
		JSON  opt[asJSON]           `json:"json,omitzero"`
		Text  opt[asText]           `json:"text,omitzero"`
		Num   opt[json.Number]      `json:"num,omitzero"`
		Not   opt[unlessNot]        `json:"not,omitzero"`
		Other opt[int]              `json:"other,omitzero"`
		Of    opt[opt[string]]      `json:"of,omitzero"`
		Map   map[string]opt[color] `json:"map,omitzero"`
	}
	for want, v := range map[string]texts{
		`{"opt":null,"empty":null,"null":null,"both":null}`: {},
		`{"opt":"","omit":"","empty":"","null":"","omitn":"","both":"","omitb":"","json":[""],"text":"<>","num":0,"not":"not","other":0,"of":null,` +
			`"map":{"k":"","n":null}}`: {
			Opt: opt[string]{state: Present}, Omit: opt[color]{state: Present}, Empty: opt[string]{state: Present}, Null: null[string]{state: Present},
			OmitN: null[string]{state: Present}, Both: both[string]{state: Present}, OmitB: both[color]{state: Present}, JSON: opt[asJSON]{state: Present},
			Text: opt[asText]{state: Present}, Num: opt[json.Number]{state: Present}, Not: opt[unlessNot]{Present, "not"}, Other: opt[int]{state: Present},
			Of: opt[opt[string]]{state: Present}, Map: map[string]opt[color]{"k": {state: Present}, "n": {}},
		},
		`{"opt":"a\"","omit":"b\n","empty":"c","null":"d","both":null,"omitb":null,"of":"e"}`: {
			Opt: opt[string]{Present, `a"`}, Omit: opt[color]{Present, "b\n"}, Empty: opt[string]{Present, "c"}, Null: null[string]{Present, "d"},
			OmitN: null[string]{Absent, "unseen"}, Both: both[string]{NullThere, "unseen"}, OmitB: both[color]{NullThere, "unseen"},
			Of: opt[opt[string]]{Present, opt[string]{Present, "e"}},
		},
	} {
		if got, err := Append(nil, v); err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}

// TestTextFieldsSayWhere has text that is not UTF-8 in fields that are written without reflection.
func TestTextFieldsSayWhere(t *testing.T) {
	t.Parallel()
	type texts struct {
		A string      `json:"a"`
		B opt[string] `json:"b,omitzero"`
	}
	for path, v := range map[string]texts{"/1/a": {A: "\xff"}, "/1/b": {B: opt[string]{Present, strings.Repeat("x", 99) + "\xc3"}}} {
		got, err := Append([]byte("kept"), []texts{{}, v})
		e, ok := errors.AsType[*Error](err)
		if string(got) != "kept" || !ok || e.Path() != path {
			t.Errorf("got %q, %v, want an error at %s", got, err, path)
		}
	}
}
