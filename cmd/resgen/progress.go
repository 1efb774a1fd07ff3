package main

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

// logging says how much is told about a run on standard error. By default that is nothing, but on a terminal work over a second
// shows its stage.
type logging struct{ verbose, debug bool }

func (l *logging) register(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&l.verbose, "verbose", false, "tell on standard error which files change")
	flags.BoolVar(&l.debug, "debug", false, "tell on standard error each stage and its duration")
}

// logger is zerolog for people.
func (l *logging) logger(w io.Writer) zerolog.Logger {
	level := zerolog.Disabled
	switch {
	case l.debug:
		level = zerolog.DebugLevel
	case l.verbose:
		level = zerolog.InfoLevel
	}
	console := zerolog.ConsoleWriter{Out: w, NoColor: !isTerminal(w), PartsExclude: []string{zerolog.TimestampFieldName}}
	return zerolog.New(console).Level(level)
}

// follow tells of the stages of a run. The function that it returns is called when the run is over.
func (l *logging) follow(cfg *generator.Config, std streams) (stop func()) {
	if l.debug || l.verbose {
		return l.followDebug(cfg, std)
	}
	if !isTerminal(std.err) {
		return func() {}
	}
	p := &progress{out: std.err}
	cfg.Progress = p.stage
	p.timer = time.AfterFunc(progressAfter, p.show)
	return p.stop
}

func (l *logging) followDebug(cfg *generator.Config, std streams) (stop func()) {
	log := l.logger(std.err)
	var current generator.Stage
	began := time.Now()
	end := func() {
		if current.Step != "" {
			log.Debug().Str("client", current.Client).Str("stage", current.Step).Dur("took", time.Since(began)).Msg("stage")
		}
	}
	cfg.Progress = func(s generator.Stage) {
		end()
		current, began = s, time.Now()
	}
	return end
}

// changes tells which files a run changed.
func (l *logging) changes(result *generator.Result, std streams) {
	log := l.logger(std.err)
	for _, o := range result.Outputs {
		for _, r := range o.Renamed {
			log.Info().Stringer("at", r.Pos).Str("of", r.ID).Str("wanted", r.Want).Str("name", r.Got).Msg("the name is taken")
		}
		for _, name := range o.Changes.Written {
			log.Info().Str("file", filepath.ToSlash(filepath.Join(o.Dir, name))).Msg("written")
		}
		for _, name := range o.Changes.Deleted {
			log.Info().Str("file", filepath.ToSlash(filepath.Join(o.Dir, name))).Msg("deleted")
		}
	}
	if result.Lock.Changed {
		log.Info().Str("file", filepath.ToSlash(result.Lock.Path)).Msg("brought up to date")
	}
}

// progressAfter is how long a run is silent on a terminal.
const progressAfter = time.Second

// progress shows the stage of a long run on one line of a terminal.
type progress struct {
	out   io.Writer
	timer *time.Timer

	mu      sync.Mutex
	current generator.Stage
	shown   bool
	over    bool
}

func (p *progress) stage(s generator.Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = s
	if p.shown {
		p.print()
	}
}

// show begins to show, when the timer fires.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over { // the timer fired as the run ended
		return
	}
	p.shown = true
	p.print()
}

const clearLine = "\r\x1b[K"

// print replaces the line; the names of outputs are checked, and hold no control characters.
func (p *progress) print() {
	_, _ = fmt.Fprintf(p.out, "%sresgen: %s %s ...", clearLine, p.current.Step, p.current.Client)
}

// stop ends the show and clears the line.
func (p *progress) stop() {
	p.timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		_, _ = io.WriteString(p.out, clearLine)
	}
	p.over = true
}
