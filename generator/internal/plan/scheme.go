package plan

import "github.com/resgen-go/resgen/generator/internal/model"

// Credential says what a security scheme's credential is and where it travels.
type Credential uint8

// The credentials.
const (
	// Token is a bearer token in the Authorization header.
	Token Credential = iota + 1
	// UserPassword is HTTP basic authentication.
	UserPassword
	// HeaderKey, QueryKey and CookieKey are an API key in a header, a query parameter or a cookie.
	HeaderKey
	QueryKey
	CookieKey
)

// Credential returns what the scheme's credential is. It spares emitters from knowing the model.
func (s *Scheme) Credential() Credential {
	switch s.Model.Kind {
	case model.Basic:
		return UserPassword
	case model.APIKey:
		switch s.Model.In {
		case model.InQuery:
			return QueryKey
		case model.InCookie:
			return CookieKey
		default:
			return HeaderKey
		}
	case model.Bearer:
		return Token
	default:
		return Token
	}
}
