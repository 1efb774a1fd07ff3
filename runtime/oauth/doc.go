// Package oauth gets the tokens that OAuth 2.0 gives to programs: the client credentials grant (RFC 6749, section 4.4). Generated clients
// use it where their document has a scheme with such a flow; it is a package of its own because it needs golang.org/x/oauth2.
//
// A token is asked for when the first call needs it, once for however many calls wait, and again before it expires, while the calls go on
// with the one they have. The request goes out by the transport of the client, without its cookies and redirects, and never anywhere but
// to the token URL.
//
// A call whose token cannot be had fails before anything is sent, with the kind policy.KindUnusable: it is not retried and says nothing
// about the health of the target, and its ladder goes on. For a second after that calls fail with the same error and ask nobody.
package oauth
