package sdkerror

import (
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// grpcStatus is the status of an RPC that failed.
type grpcStatus struct {
	code    uint64
	message string
	details []any
	wait    time.Duration
	waits   bool
}

// The codes that are asked for by name.
const (
	grpcCanceled          = 1
	grpcDeadlineExceeded  = 4
	grpcResourceExhausted = 8
	grpcUnavailable       = 14
)

// grpcCode says how a code is called, which status of HTTP stands for it, and what it means. After google/rpc/code.proto.
var grpcCodes = [...]struct {
	name   string
	status int
	kind   policy.Kind
}{
	{},                                       // OK
	{"CANCELLED", 499, policy.KindTransient}, // not by our caller: that is known before
	{"UNKNOWN", http.StatusInternalServerError, policy.KindPermanent},
	{"INVALID_ARGUMENT", http.StatusBadRequest, policy.KindCaller},
	{"DEADLINE_EXCEEDED", http.StatusGatewayTimeout, policy.KindTimeout},
	{"NOT_FOUND", http.StatusNotFound, policy.KindCaller},
	{"ALREADY_EXISTS", http.StatusConflict, policy.KindCaller},
	{"PERMISSION_DENIED", http.StatusForbidden, policy.KindUnusable},
	{"RESOURCE_EXHAUSTED", http.StatusTooManyRequests, policy.KindThrottle},
	{"FAILED_PRECONDITION", http.StatusBadRequest, policy.KindCaller},
	{"ABORTED", http.StatusConflict, policy.KindTransient},
	{"OUT_OF_RANGE", http.StatusBadRequest, policy.KindCaller},
	{"UNIMPLEMENTED", http.StatusNotImplemented, policy.KindPermanent},
	{"INTERNAL", http.StatusInternalServerError, policy.KindTransient},
	{"UNAVAILABLE", http.StatusServiceUnavailable, policy.KindTransient},
	{"DATA_LOSS", http.StatusInternalServerError, policy.KindPermanent},
	{"UNAUTHENTICATED", http.StatusUnauthorized, policy.KindUnusable},
}

// readStatus reads the status of gRPC from what has one. Its type is gRPC's own.
func (f *found) readStatus(err error) {
	if f.grpc != nil {
		return
	}
	v := reflect.ValueOf(err)
	if m := v.MethodByName("GRPCStatus"); asks(m) {
		st := m.Call(nil)[0]
		if st.Kind() != reflect.Pointer || st.IsNil() {
			return
		}
		f.setGRPC(st.MethodByName("Code"), st.MethodByName("Message"))
		if m := st.MethodByName("Proto"); f.grpc != nil && asks(m) {
			f.grpc.readProto(m.Call(nil)[0])
		}
		return
	}
	if _, ok := err.(interface{ Meta() http.Header }); ok { // connect-go has the codes of gRPC
		f.setGRPC(v.MethodByName("Code"), v.MethodByName("Message"))
	}
}

// asks reports whether a method takes nothing and returns one value.
func asks(m reflect.Value) bool {
	return m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1
}

// setGRPC takes the code and the message that two methods return.
func (f *found) setGRPC(code, message reflect.Value) {
	if !asks(code) || code.Type().Out(0).Kind() != reflect.Uint32 {
		return
	}
	s := grpcStatus{code: code.Call(nil)[0].Uint()}
	if s.code == 0 {
		return
	}
	if asks(message) && message.Type().Out(0).Kind() == reflect.String {
		s.message = message.Call(nil)[0].String()
	}
	f.grpc = &s
}

// readProto reads the details of a status from its message.
func (s *grpcStatus) readProto(v reflect.Value) {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	all, ok := field(v.Elem(), "Details")
	if !ok || all.Kind() != reflect.Slice {
		return
	}
	for i := range min(all.Len(), mostErrors) {
		at := all.Index(i)
		if at.Kind() != reflect.Pointer || at.IsNil() {
			continue
		}
		name := textField(at.Elem(), "TypeUrl")
		value, ok := field(at.Elem(), "Value")
		if ok && value.Type() == reflect.TypeFor[[]byte]() && value.Len() <= mostBytes {
			s.detail(name, value.Bytes())
		}
	}
}

// tell tells of an answer of gRPC. Its body is as Google's services write it over HTTP, which presets know.
func (s *grpcStatus) tell(a *Answer) {
	code := grpcCodes[2] // who sends a code that there is not says nothing
	if s.code < uint64(len(grpcCodes)) {
		code = grpcCodes[s.code]
	}
	a.Status, a.StandIn, a.Otherwise = code.status, true, code.kind
	a.Unanswered = s.code == grpcCanceled || s.code == grpcDeadlineExceeded
	var inner object
	inner.set("code", code.status)
	inner.set("status", code.name)
	inner.set("message", s.message[:min(len(s.message), mostBytes/2)])
	if len(s.details) > 0 {
		inner.set("details", s.details)
	}
	a.Body = marshal(object{"error": inner})
	if s.waits {
		a.Wait, a.Waits = s.wait, true
	}
	s.tellOwn(a)
}

// tellOwn tells what grpc-go says itself by the codes that servers use too. It has only texts for that.
func (s *grpcStatus) tellOwn(a *Answer) {
	switch {
	case s.code == grpcUnavailable && strings.Contains(s.message, "connection error: ") && strings.Contains(s.message, "while dialing"):
		a.Otherwise, a.Unsent = policy.KindConnect, true
	case s.code != grpcResourceExhausted:
	case strings.HasPrefix(s.message, "grpc: received message") && strings.Contains(s.message, "larger than max"):
		a.Otherwise, a.Status, a.Body = policy.KindPermanent, http.StatusInternalServerError, nil
	case strings.HasPrefix(s.message, "trying to send message larger than max"):
		a.Otherwise, a.Status, a.Body = policy.KindCaller, http.StatusRequestEntityTooLarge, nil
	}
}
