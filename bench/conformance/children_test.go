package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// findingMark begins the line on which a child prints its finding.
const findingMark = "finding: "

// childTime is how long a probe may take: its time is virtual, so what takes longer will not end.
const childTime = 20 * time.Second

// runAll runs every probe against every library, each in a process of its own: what a library does may end it.
func runAll() (matrix, error) {
	m := matrix{Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly), Findings: map[string]map[string]finding{}}
	var all sync.WaitGroup
	var mu sync.Mutex
	slots := make(chan struct{}, 2)
	for _, p := range probes() {
		m.Findings[p.id] = map[string]finding{}
		for _, lib := range libraries() {
			all.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				f := runChild(p.id, lib.name)
				mu.Lock()
				defer mu.Unlock()
				m.Findings[p.id][lib.name] = f
			})
		}
	}
	all.Wait()
	for _, lib := range libraries()[1:] {
		out, err := exec.Command("go", "list", "-m", lib.module).Output()
		if err != nil {
			return m, fmt.Errorf("ask for the version of %s: %w", lib.module, err)
		}
		m.Modules = append(m.Modules, strings.TrimSpace(string(out)))
	}
	return m, nil
}

func runChild(probe, lib string) finding {
	ctx, cancel := context.WithTimeout(context.Background(), childTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestOne$", "-probe="+probe, "-library="+lib)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if _, after, found := strings.Cut(out.String(), "\n"+findingMark); found {
		line, _, _ := strings.Cut(after, "\n")
		var f finding
		if json.Unmarshal([]byte(line), &f) == nil {
			return f
		}
	}
	if ctx.Err() != nil {
		return judge(false, "it never returns (a deadlock)")
	}
	if why := panicLine.FindStringSubmatch(out.String()); why != nil {
		return judge(false, "the process dies: panic: %s", why[1])
	}
	return judge(false, "the process dies: %v", err)
}

var panicLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*?)(?: \[recovered\].*)?$`)
