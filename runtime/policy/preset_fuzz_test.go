package policy

import (
	"testing"
	"time"
)

// Whatever a server answers, its presets come to a kind that an answer can be of, and to a wait within bounds; and what they say does not
// depend on how often they are asked.
func FuzzPresets(f *testing.F) {
	for i, s := range []string{
		``, `null`, `[]`, `{}`, `"x"`, `{"error":null}`, `{"error":{"code":null,"message":{}}}`, `{"error":{"code":1e999}}`,
		`{"error":{"metadata":{"resets_at":"9999-12-31T23:59:59Z","retry_after_seconds":-1,"headers":{"X-RateLimit-Reset":"9223372036854775807"}}}}`,
		`{"error":{"message":"Please try again in 99999999999h. on tokens per day (TPD)"}}`, `{"error":{"message":"Please try again in NaNs"}}`,
		`{"error":[{"message":"failed with status: 429"}]}`, `{"status":{"error":"Not found: Collection ` + "`" + `x` + "`" + ` doesn't exist"}}`,
		`{"message":"API calls / month"}`, `{"error":{"message":"` + "’” " + `"`, "\xff\xfe{", `{"a":` + `[[[[[[[[[[[[[[[[[[[[`,
	} {
		f.Add(uint8(i), 429, "Retry-After", "1", []byte(s), true)
		f.Add(uint8(i), 0, "X-Ratelimit-Reset", "NaN", []byte(s), false)
	}
	f.Fuzz(func(t *testing.T, which uint8, status int, name, value string, body []byte, safe bool) {
		names := Presets()
		e := Errors{Preset: names[int(which)%len(names)]}
		a := Answer{Status: status, Body: body, Safe: safe, Header: func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}}
		got := e.Classify(sampleTime, a, None, 1)
		if got.Kind == KindNone || got.Kind >= kindCount || got.Kind.Local() || got.Kind == KindDeadline || got.Kind == KindCanceled {
			t.Errorf("%s: a failure is of the kind %v", e.Preset, got.Kind)
		}
		if got.Wait < 0 || got.Wait > mostWait || got.Wait != 0 && !got.Waits {
			t.Errorf("%s: a wait of %v (%t)", e.Preset, got.Wait, got.Waits)
		}
		if again := e.Classify(sampleTime, a, None, 1); again != got {
			t.Errorf("%s: %+v, and then %+v", e.Preset, got, again)
		}
		for _, form := range []waitForm{waitDuration, waitDate, waitSeconds, waitEpochMS, waitMessage} {
			w := wait{at: []string{"/error/message", atText, atHeader + name}, form: form}
			if d, ok := w.of(newReading(a), sampleTime); d < 0 || d > mostWait || !ok && d != 0 {
				t.Errorf("form %d of %q reads %v, %t", form, body, d, ok)
			}
		}
		if d, ok := (&wait{form: waitMonth}).of(newReading(a), sampleTime.Add(time.Duration(status)*time.Second)); !ok || d <= 0 || d > 31*24*time.Hour {
			t.Errorf("until the next month: %v, %t", d, ok)
		}
	})
}
