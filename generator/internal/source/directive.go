package source

// Directive is a comment of a Go file that speaks to a tool: //resgen:retry attempts=2. Name is "retry".
type Directive struct {
	Name string
	Pos  Pos
	Args []Arg
}

// Arg is one argument of a directive: a scalar, or KEY=TEXT.
type Arg struct {
	// Key is what stands before the first '='; empty for a scalar. KeyPos is where it begins.
	Key    string
	KeyPos Pos
	// Text is the value, unquoted, and Pos where it begins. Quoted says that the author quoted it: it is then a text, and no list.
	Text   string
	Pos    Pos
	Quoted bool
}
