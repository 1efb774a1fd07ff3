package oauth

import (
	"errors"
	"net/url"
	"strconv"

	"golang.org/x/oauth2"
)

// TokenError is a token endpoint that gave no token. The call that it ends is of the kind policy.KindUnusable.
type TokenError struct {
	// Status is the status of the answer; 0 if there was none.
	Status int
	// Code is the error code of the answer (RFC 6749, section 5.2), such as invalid_client; empty if it has none.
	Code string
	// Err is why there was no answer; nil where there was one.
	Err error
}

// Error says what happened, without the texts of the answer: they may hold what was sent.
func (e *TokenError) Error() string {
	switch {
	case e.Err != nil:
		return "oauth: no token: " + e.Err.Error()
	case e.Code != "":
		return "oauth: no token: " + strconv.Quote(e.Code) + " (" + strconv.Itoa(e.Status) + ")"
	case e.Status != 0:
		return "oauth: no token: status " + strconv.Itoa(e.Status)
	default:
		return "oauth: no token in the answer"
	}
}

// Unwrap returns Err.
func (e *TokenError) Unwrap() error { return e.Err }

// failureOf makes the error of a request for a token.
func failureOf(err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		e := &TokenError{Code: short(refused.ErrorCode)}
		if refused.Response != nil {
			e.Status = refused.Response.StatusCode
		}
		return e
	}
	if sent, ok := errors.AsType[*url.Error](err); ok {
		return &TokenError{Err: sent.Err}
	}
	return &TokenError{} // an answer that is none
}

// short keeps a hostile answer from filling logs.
func short(code string) string {
	const longest = 64
	return code[:min(len(code), longest)]
}
