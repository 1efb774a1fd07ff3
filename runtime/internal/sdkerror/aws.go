package sdkerror

import (
	"net/http"
	"reflect"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fault says whose fault a failure is, as services of AWS say it.
type fault int64

// The faults, as smithy numbers them.
const (
	faultServer fault = 1
	faultClient fault = 2
)

// faultOf returns what ErrorFault of an error says: its type is the SDK's own.
func faultOf(err error) fault {
	m := reflect.ValueOf(err).MethodByName("ErrorFault")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return 0
	}
	if out := m.Call(nil)[0]; out.CanInt() {
		return fault(out.Int())
	}
	return 0
}

// awsNames are failures that services of AWS name, and whose status says something else, or nothing: many services answer 400 to all of them.
// After the documentation of the services' common errors, and the codes that aws-sdk-go-v2 retries.
var awsNames = map[string]policy.Kind{
	"Throttling": policy.KindThrottle, "ThrottlingException": policy.KindThrottle, "ThrottledException": policy.KindThrottle,
	"RequestThrottledException": policy.KindThrottle, "RequestThrottled": policy.KindThrottle, "TooManyRequestsException": policy.KindThrottle,
	"ProvisionedThroughputExceededException": policy.KindThrottle, "RequestLimitExceeded": policy.KindThrottle,
	"BandwidthLimitExceeded": policy.KindThrottle, "SlowDown": policy.KindThrottle, "EC2ThrottledException": policy.KindThrottle,
	"PriorRequestNotComplete": policy.KindTransient, "TransactionInProgressException": policy.KindTransient,
	"RequestTimeout": policy.KindTransient, "RequestTimeoutException": policy.KindTransient,
	"AccessDenied": policy.KindUnusable, "AccessDeniedException": policy.KindUnusable, "UnauthorizedOperation": policy.KindUnusable,
	"AuthFailure": policy.KindUnusable, "ExpiredToken": policy.KindUnusable, "ExpiredTokenException": policy.KindUnusable,
	"InvalidSignatureException": policy.KindUnusable, "SignatureDoesNotMatch": policy.KindUnusable,
	"IncompleteSignature": policy.KindUnusable, "UnrecognizedClientException": policy.KindUnusable,
	"InvalidClientTokenId": policy.KindUnusable, "InvalidAccessKeyId": policy.KindUnusable, "OptInRequired": policy.KindUnusable,
	"MissingAuthenticationToken": policy.KindUnusable, "MissingAuthenticationTokenException": policy.KindUnusable,
}

// tellAWS tells of an answer whose failure has a name: it stands in a header as well, which presets ask for.
func (f *found) tellAWS(a *Answer) {
	const name = "X-Amzn-Errortype"
	if a.Header.Get(name) == "" {
		if a.Header = a.Header.Clone(); a.Header == nil {
			a.Header = http.Header{}
		}
		a.Header.Set(name, f.name)
	}
	k, known := awsNames[f.name]
	switch {
	case known:
		a.Otherwise = k
	case a.Status >= http.StatusBadRequest:
	case f.fault == faultClient:
		a.Otherwise = policy.KindCaller
	case f.fault == faultServer:
		a.Otherwise = policy.KindTransient
	}
}
