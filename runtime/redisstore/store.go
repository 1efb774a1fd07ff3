package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

//go:embed take.lua
var takeSource string

// Config changes how a Store keeps limits. The zero value is ready.
type Config struct {
	// Prefix begins every key. Empty means "resgen". Programs that are to share limits have the same.
	Prefix string
	// Replica is the name of this process among those that share a limit. Empty means a random one.
	Replica string
	// Alive is for how long after a question a replica counts as there. 0 means a minute.
	Alive time.Duration
}

// Store is a runtime.LimitStore over Redis. It starts nothing and owns nothing: the client is its maker's to close. Safe for concurrent use.
type Store struct {
	client redis.Scripter
	script *redis.Script
	cfg    Config
}

var _ runtime.LimitStore = (*Store)(nil)

// New returns a store over a client of go-redis: one of a server, of a cluster, or of sentinels.
func New(client redis.Scripter, cfg Config) *Store {
	cfg.Prefix = cmp.Or(cfg.Prefix, "resgen")
	cfg.Replica = cmp.Or(cfg.Replica, rand.Text())
	if cfg.Alive <= 0 {
		cfg.Alive = time.Minute
	}
	return &Store{client: client, script: redis.NewScript(takeSource), cfg: cfg}
}

// Take counts what d owes and takes what it wants. It fails as the client does, when ctx ends, or where the answer is none.
func (s *Store) Take(ctx context.Context, d policy.LimitDemand) (policy.LimitSupply, error) {
	answer, err := s.script.Run(ctx, s.client, s.keys(&d), s.arguments(&d)...).Slice()
	if err != nil {
		return policy.LimitSupply{}, fmt.Errorf("redis: %w", err)
	}
	return supplyOf(&d, answer)
}

// keys returns the keys of a demand. The hash tag is the limit's name, so that a cluster has them on one node; who the tenant is, the key does
// not tell.
func (s *Store) keys(d *policy.LimitDemand) []string {
	limit := s.cfg.Prefix + ":limit:{" + d.Name + "}"
	buckets := limit
	if d.Tenant != "" {
		const enough = 16
		sum := sha256.Sum256([]byte(d.Tenant))
		buckets += ":" + hex.EncodeToString(sum[:enough])
	}
	return []string{buckets, limit + ":replicas"}
}

// arguments returns what the script is to know.
func (s *Store) arguments(d *policy.LimitDemand) []any {
	known := "0"
	if d.Known {
		known = "1"
	}
	args := []any{s.cfg.Replica, strconv.FormatInt(s.cfg.Alive.Microseconds(), 10), known}
	for i, b := range d.Buckets {
		if b.Rate <= 0 {
			continue
		}
		args = append(args, strconv.Itoa(i))
		for _, n := range [...]float64{b.Rate, b.Most, b.Debt, b.Owed, b.Least, b.Want} {
			args = append(args, strconv.FormatFloat(n, 'g', -1, 64))
		}
	}
	return args
}

var errAnswer = errors.New("the script's answer is none")

// supplyOf reads the script's answer.
func supplyOf(d *policy.LimitDemand, answer []any) (s policy.LimitSupply, err error) {
	numbers := make([]float64, len(answer))
	for i, a := range answer {
		switch a := a.(type) {
		case int64:
			numbers[i] = float64(a)
		case string:
			if numbers[i], err = strconv.ParseFloat(a, 64); err != nil {
				return s, fmt.Errorf("%w: %w", errAnswer, err)
			}
		default:
			return s, fmt.Errorf("%w: a %T", errAnswer, a)
		}
	}
	const head, each = 3, 2
	if len(numbers) < head {
		return s, fmt.Errorf("%w: it has %d numbers", errAnswer, len(numbers))
	}
	s.Wait, s.Full = time.Duration(numbers[0])*time.Microsecond, time.Duration(numbers[1])*time.Microsecond
	s.Replicas = int(numbers[2])
	rest := numbers[head:]
	for i, b := range d.Buckets {
		if b.Rate <= 0 {
			continue
		}
		if len(rest) < each {
			return s, fmt.Errorf("%w: it has %d numbers", errAnswer, len(numbers))
		}
		s.Taken[i], s.Left[i], rest = rest[0], rest[1], rest[each:]
	}
	return s, nil
}
