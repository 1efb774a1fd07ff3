// Package others has ladders whose rungs ask other methods of the interface.
package others

import (
	"context"
	"iter"
)

// What a Library is asked, and answers.
type (
	Question struct{ Prompt string }
	Answer   struct{ Text string }
)

// Library answers questions, and finds what was written.
//
//resgen:class answer total=20s attempt=2s
//resgen:class look total=6s attempt=1s
//resgen:timeout answer
type Library interface {
	// Complete answers a question.
	//
	//resgen:safe
	//resgen:fallback name=older operation=CompleteV1
	//resgen:fallback name=passages operation=Search func=passages
	//resgen:fallback name=sorry static=apology
	Complete(ctx context.Context, q Question) (Answer, error)

	// CompleteV1 answers a question by the older model.
	//
	//resgen:safe
	CompleteV1(ctx context.Context, q Question) (Answer, error)

	// Stream answers a question word by word.
	//
	//resgen:safe
	//resgen:fallback name=older operation=StreamV1
	//resgen:fallback name=passages operation=Search func=passageWords
	Stream(ctx context.Context, q Question) iter.Seq2[string, error]

	// StreamV1 answers a question word by word, by the older model.
	//
	//resgen:safe
	StreamV1(ctx context.Context, q Question) iter.Seq2[string, error]

	// Search finds what has all of the words.
	//
	//resgen:safe
	//resgen:timeout look
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	//resgen:fallback name=titles operation=Titles
	//resgen:fallback name=nothing operation=Topics func=nothing
	Search(ctx context.Context, words ...string) ([]string, error)

	// Titles finds what has all of the words in its title.
	//
	//resgen:safe
	//resgen:timeout look
	Titles(ctx context.Context, words ...string) ([]string, error)

	// Topics lists what there is to be found.
	//
	//resgen:safe
	//resgen:timeout look
	Topics(ctx context.Context) ([]string, error)
}
