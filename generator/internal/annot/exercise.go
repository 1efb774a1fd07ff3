package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var exerciseEntry = Entry{
	Sort:  Policy,
	Title: "Exercise",
	Text: "Uses rungs in normal times, so that an outage is not the first to find out that they are broken. With `mode: shadow`, the default, a " +
		"rung runs beside a `share` of the calls and its answer is dropped; with `serve` its answer is given, which only rungs of level " +
		"`equal` that send a request may do, and where it fails the call is answered by the operation itself. Rungs that send a request cost " +
		"what a request costs: `max-per-minute` bounds them. Only operations that are `safe` or `idempotent`, and not `critical`, may do so. " +
		"A function that is a rung gets the caller's own request, also after the call has returned: nobody may change it.",
	Example: "exercise: {share: 1%, mode: shadow, max-per-minute: 6}",
	Since:   "0.1",
	field:   object("exercise", "", exerciseKeys, func(s *Settings) *policy.ExerciseConfig { return &s.Plan.Exercise }),
}

type exercise = policy.ExerciseConfig

var exerciseKeys = record[exercise]{
	share("share", "The share of calls that exercise a rung; 0 is off.", func(e *exercise) *float64 { return &e.Share }),
	oneOf("mode", "What becomes of the rung's answer.", []policy.ExerciseMode{policy.ExerciseShadow, policy.ExerciseServe},
		func(e *exercise) *policy.ExerciseMode { return &e.Mode }),
	count("max-per-minute", "The most exercises in a minute; without it, no bound.", 1, func(e *exercise) *int { return &e.MaxPerMinute }),
	{
		key: "rungs", doc: "The rungs that are exercised, in turn; without it, all that may be.",
		shape: listOf{item: nameShape("a name", "eu", namePattern), form: "a list of names of rungs", example: "[eu]", unique: true},
		put:   func(e *exercise, v *source.Value) { e.Rungs = texts(v) },
		take:  func(e *exercise) (source.Value, bool) { return textsValue(e.Rungs), len(e.Rungs) > 0 },
	},
}
