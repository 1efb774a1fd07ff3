package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestT19_RetryAfterInEveryForm(t *testing.T) {
	t.Parallel()
	const date = "Thu, 01 Jan 2026 00:00:00 GMT"
	type header = policy.RetryAfterHeader
	tests := map[string]struct {
		header header
		want   time.Duration
		ok     bool
	}{
		"nothing":                     {header{}, 0, false},
		"seconds":                     {header{RetryAfter: "30"}, 30 * time.Second, true},
		"seconds with blanks":         {header{RetryAfter: " 30\t"}, 30 * time.Second, true},
		"zero is at once":             {header{RetryAfter: "0"}, 0, true},
		"a fraction":                  {header{RetryAfter: "1.2"}, 1200 * ms, true},
		"a fraction is rounded up":    {header{RetryAfter: "0.0000000001"}, 1, true},
		"a long fraction":             {header{RetryAfter: "1." + strings.Repeat("0", 1000)}, time.Second, true},
		"leading zeros":               {header{RetryAfter: "0005"}, 5 * time.Second, true},
		"milliseconds":                {header{RetryAfterMS: "300"}, 300 * ms, true},
		"milliseconds win":            {header{RetryAfterMS: "300", RetryAfter: "2"}, 300 * ms, true},
		"a fraction of a millisecond": {header{RetryAfterMS: "0.5"}, 500 * time.Microsecond, true},
		"bad milliseconds are absent": {header{RetryAfterMS: "soon", RetryAfter: "2"}, 2 * time.Second, true},
		"negative ones too":           {header{RetryAfterMS: "-1", RetryAfter: "2"}, 2 * time.Second, true},
		"pushback":                    {header{PushbackMS: "70"}, 70 * ms, true},
		"a negative pushback":         {header{PushbackMS: "-1"}, 0, false},
		"negative":                    {header{RetryAfter: "-5"}, 0, false},
		"a sign":                      {header{RetryAfter: "+5"}, 0, false},
		"an exponent":                 {header{RetryAfter: "1e3"}, 0, false},
		"a unit":                      {header{RetryAfter: "5s"}, 0, false},
		"no digits before the point":  {header{RetryAfter: ".5"}, 0, false},
		"no digits after the point":   {header{RetryAfter: "5."}, 0, false},
		"infinity":                    {header{RetryAfter: "inf"}, 0, false},
		"too large for a duration":    {header{RetryAfter: "9999999999999"}, policy.Forever, true},
		"just too large":              {header{RetryAfter: "9223372036.9"}, policy.Forever, true},
		"just not":                    {header{RetryAfter: "9223372036.854775807"}, policy.Forever, true},
		"absurd":                      {header{RetryAfter: strings.Repeat("9", 10_000)}, policy.Forever, true},
		"too many milliseconds":       {header{RetryAfterMS: "9999999999999999"}, policy.Forever, true},
		"IMF-fixdate":                 {header{RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT", Date: date}, 2 * time.Second, true},
		"RFC 850":                     {header{RetryAfter: "Thursday, 01-Jan-26 00:01:00 GMT", Date: date}, time.Minute, true},
		"asctime":                     {header{RetryAfter: "Thu Jan  1 01:00:00 2026", Date: date}, time.Hour, true},
		"against our clock":           {header{RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT", Received: at(time.Second)}, time.Second, true},
		"a wrong clock does not count": {header{
			RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT", Date: date, Received: at(-time.Hour),
		}, 2 * time.Second, true},
		"against a bad Date": {header{
			RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT", Date: "now", Received: at(0),
		}, 2 * time.Second, true},
		"against nothing":        {header{RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT"}, 0, false},
		"a past date is at once": {header{RetryAfter: "Wed, 31 Dec 2025 23:59:00 GMT", Date: date}, 0, true},
		"another zone":           {header{RetryAfter: "Thu, 01 Jan 2026 00:00:02 PST", Date: date}, 0, false},
		"a date too far away":    {header{RetryAfter: "Fri, 31 Dec 9999 23:59:59 GMT", Date: date}, policy.Forever, true},
		"a two-digit year ahead": {header{
			RetryAfter: "Friday, 01-Jan-71 00:00:00 GMT", Date: date,
		}, 45*365*24*time.Hour + 11*24*time.Hour, true},
		"a two-digit year of old": {header{RetryAfter: "Sunday, 06-Nov-94 08:49:37 GMT", Date: date}, 0, true},
		"a two-digit year of the next century": {header{
			RetryAfter: "Tuesday, 01-Jan-97 00:00:00 GMT", Date: "Thu, 01 Jan 2060 00:00:00 GMT",
		}, 37*365*24*time.Hour + 10*24*time.Hour, true},
		"a two-digit Date": {header{
			RetryAfter: "Thu, 01 Jan 2026 00:00:02 GMT", Date: "Thursday, 01-Jan-26 00:00:01 GMT",
		}, time.Second, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := policy.ParseRetryAfter(tt.header)
			if got != tt.want || ok != tt.ok {
				t.Errorf("got %v, %v; want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

// T18: a wait above the cap must be told apart from one below it, however large.
func TestT18_AbsurdWaitIsAboveEveryCap(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"484289", "9999999999999", strings.Repeat("8", 500)} {
		wait, ok := policy.ParseRetryAfter(policy.RetryAfterHeader{RetryAfter: value})
		if !ok || wait <= 60*time.Second || policy.UpwardJitter(wait, constant(0.99)) < wait {
			t.Errorf("Retry-After %.20s: %v, %v", value, wait, ok)
		}
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	type header = policy.RetryAfterHeader
	tests := map[string]struct {
		header header
		want   policy.Advice
	}{
		"none":                   {header{}, policy.NoAdvice},
		"yes":                    {header{ShouldRetry: "true"}, policy.AdviseRetry},
		"no":                     {header{ShouldRetry: " False "}, policy.AdviseStop},
		"what is that":           {header{ShouldRetry: "maybe"}, policy.NoAdvice},
		"a pushback":             {header{PushbackMS: "100"}, policy.NoAdvice},
		"a negative pushback":    {header{PushbackMS: "-1"}, policy.AdviseStop},
		"an unparsable pushback": {header{PushbackMS: "x", ShouldRetry: "true"}, policy.AdviseStop},
	}
	for name, tt := range tests {
		if got := tt.header.Advice(); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// FuzzRetryAfter checks that no header makes a wait negative, and that what is read from plain digits is what they say.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"30", "1.2", "-1", "9999999999999",
		"Thu, 01 Jan 2026 00:00:02 GMT", "Thursday, 01-Jan-26 00:00:02 GMT", "Thu Jan  1 00:00:02 2026",
	} {
		f.Add(s, "", "")
		f.Add("", s, "Thu, 01 Jan 2026 00:00:00 GMT")
		f.Add("5", "", s)
	}
	f.Fuzz(func(t *testing.T, retryAfter, millis, date string) {
		h := policy.RetryAfterHeader{RetryAfter: retryAfter, RetryAfterMS: millis, PushbackMS: millis, Date: date, Received: at(0)}
		wait, ok := policy.ParseRetryAfter(h)
		if wait < 0 || !ok && wait != 0 {
			t.Fatalf("%+v: %v, %v", h, wait, ok)
		}
		if again, ok2 := policy.ParseRetryAfter(h); again != wait || ok2 != ok {
			t.Fatalf("%+v: %v, then %v", h, wait, again)
		}
		if jittered := policy.UpwardJitter(wait, constant(0.7)); jittered < wait {
			t.Fatalf("%v was shortened to %v", wait, jittered)
		}
		// Reading plain seconds is what time.ParseDuration does, where it can.
		if d, err := time.ParseDuration(retryAfter + "s"); err == nil && millis == "" && ok && !strings.ContainsAny(retryAfter, "+-hmunµμ") {
			if diff := wait - d; diff < 0 || diff > 1 {
				t.Fatalf("%q: %v, want %v", retryAfter, wait, d)
			}
		}
		h.Advice()
	})
}
