package status

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/resgen-go/resgen/runtime"
)

// longestName is how much of a name is shown.
const longestName = 120

// clean returns a name as it may be shown: names come from documents and programs, and some characters change how what is round them reads. What
// they say is not touched: secrets in them go, as in logs.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) { // control characters and changes of direction are not
			return r
		}
		return unicode.ReplacementChar
	}, runtime.Redact(strings.ToValidUTF8(name, string(unicode.ReplacementChar))))
	if all := []rune(name); len(all) > longestName {
		return string(all[:longestName]) + "…"
	}
	return name
}

// cleaned returns names as they may be shown.
func cleaned(names []string) []string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = clean(n)
	}
	return shown
}

// clock returns a time of the day in UTC, and of another day its date.
func clock(t, now time.Time) string {
	t, now = t.UTC(), now.UTC()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05")
	}
	return t.Format("Jan 2 15:04:05")
}

// since returns "since 03:12:09 (4m)", or nothing where that is not known.
func since(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return fmt.Sprintf(" since %s (%s)", clock(t, now), span(now.Sub(t)))
}

// span returns a duration in its two largest units.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = max(d, 0).Truncate(time.Second); {
	case d >= day:
		return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute && d%time.Minute > 0 && d < 10*time.Minute:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d >= time.Minute:
		return fmt.Sprintf("%dm", d/time.Minute)
	default:
		return fmt.Sprintf("%ds", d/time.Second)
	}
}

// counted returns "1 call" or "12 calls".
func counted[N int | uint64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// number returns a number with what matters of its fraction.
func number(f float64) string {
	const small = 100
	if f >= small || f <= -small {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// percent returns a share.
func percent(share float64) string {
	const whole = 100
	return strconv.FormatFloat(share*whole, 'f', 0, 64) + "%"
}

// list joins words as a sentence does.
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}
