package sdkerror

import (
	"encoding/binary"
	"strings"
	"time"
)

// detail takes a detail of a status: of google/rpc/error_details.proto those that say why, and when to come again. Others are left out.
func (s *grpcStatus) detail(url string, value []byte) {
	d := object{"@type": url}
	_, name, _ := strings.Cut(url, "/")
	switch name {
	case "google.rpc.RetryInfo": // 1: the delay
		wait, ok := durationOf(value)
		if !ok {
			return
		}
		d["retryDelay"] = wait.String()
		if !s.waits {
			s.wait, s.waits = wait, true
		}
	case "google.rpc.ErrorInfo": // 1: reason, 2: domain
		members(value, func(number uint64, text []byte) {
			switch number {
			case 1:
				d.set("reason", string(text))
			case 2: //nolint:mnd // as above
				d.set("domain", string(text))
			}
		})
	case "google.rpc.QuotaFailure": // 1: violations
		var all []any
		members(value, func(number uint64, violation []byte) {
			if number == 1 && len(all) < mostErrors {
				all = append(all, violationOf(violation))
			}
		})
		d.set("violations", all)
	default:
		return
	}
	s.details = append(s.details, map[string]any(d))
}

// violationOf reads a violation of a quota.
func violationOf(value []byte) map[string]any {
	names := [...]string{1: "subject", 2: "description", 4: "quotaMetric", 5: "quotaId"}
	var v object
	members(value, func(number uint64, text []byte) {
		if number < uint64(len(names)) && names[number] != "" {
			v.set(names[number], string(text))
		}
	})
	return v
}

// durationOf reads the duration that is the first member of a message: 1: seconds, 2: nanoseconds.
func durationOf(value []byte) (d time.Duration, ok bool) {
	members(value, func(number uint64, duration []byte) {
		if number != 1 {
			return
		}
		var seconds, nanos int64
		numbers(duration, func(number, n uint64) {
			switch number {
			case 1:
				seconds = int64(n) // negative ones are no waits
			case 2: //nolint:mnd // as above
				nanos = int64(n)
			}
		})
		if seconds >= 0 && seconds < int64(maxWait/time.Second) && nanos >= 0 && nanos < int64(time.Second) {
			d, ok = time.Duration(seconds)*time.Second+time.Duration(nanos), true
		}
	})
	return d, ok
}

// The wire types of protocol buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// members visits the members of a message that are texts or messages themselves. It ends at what is no message.
func members(b []byte, visit func(number uint64, value []byte)) {
	walkMessage(b, func(number uint64, value []byte, _ uint64) {
		if value != nil {
			visit(number, value)
		}
	})
}

// numbers visits the members of a message that are whole numbers.
func numbers(b []byte, visit func(number, n uint64)) {
	walkMessage(b, func(number uint64, value []byte, n uint64) {
		if value == nil {
			visit(number, n)
		}
	})
}

func walkMessage(b []byte, visit func(number uint64, value []byte, n uint64)) {
	for len(b) > 0 {
		tag, size := binary.Uvarint(b)
		if size <= 0 {
			return
		}
		b = b[size:]
		switch tag & 7 { //nolint:mnd // the wire type
		case wireVarint:
			n, size := binary.Uvarint(b)
			if size <= 0 {
				return
			}
			visit(tag>>3, nil, n) //nolint:mnd // the number
			b = b[size:]
		case wireBytes:
			length, size := binary.Uvarint(b)
			if size <= 0 || length > uint64(len(b)-size) {
				return
			}
			b = b[size:]
			visit(tag>>3, b[:length:length], 0) //nolint:mnd // as above
			b = b[length:]
		case wireFixed64, wireFixed32:
			size := 4
			if tag&7 == wireFixed64 { //nolint:mnd // as above
				size = 8
			}
			if len(b) < size {
				return
			}
			b = b[size:]
		default:
			return
		}
	}
}
