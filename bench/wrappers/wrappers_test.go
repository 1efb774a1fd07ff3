package wrappers_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"io/fs"
	"iter"
	"net/http"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/request"
	"github.com/aws/aws-sdk-go/service/s3"
	"github.com/aws/aws-sdk-go/service/s3/s3iface"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/qdrant/go-client/qdrant"
	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"

	"github.com/resgen-go/resgen/bench/wrappers/cmdable"
	"github.com/resgen-go/resgen/bench/wrappers/conn"
	"github.com/resgen-go/resgen/bench/wrappers/exporter"
	wrappedfs "github.com/resgen-go/resgen/bench/wrappers/fs"
	"github.com/resgen-go/resgen/bench/wrappers/keyvalue"
	"github.com/resgen-go/resgen/bench/wrappers/points"
	"github.com/resgen-go/resgen/bench/wrappers/repository"
	"github.com/resgen-go/resgen/bench/wrappers/roundtripper"
	"github.com/resgen-go/resgen/bench/wrappers/s3api"
	"github.com/resgen-go/resgen/bench/wrappers/tx"
	"github.com/resgen-go/resgen/runtime"
)

// failing fails as often as it is to, and counts.
type failing struct{ fails, calls int }

func (f *failing) call(ctx context.Context) error {
	f.calls++
	if ctx.Done() == nil {
		return errEndless
	}
	if f.calls <= f.fails {
		return context.DeadlineExceeded
	}
	return nil
}

var errEndless = errors.New("nothing ends the attempt")

// retried runs a call of a method that is tried up to three times: it survives two failures, and not three.
func retried(t *testing.T, call func(ctx context.Context, f *failing) error) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{fails: 2}
		if err := call(t.Context(), f); err != nil || f.calls != 3 {
			t.Errorf("two failures: %v after %d calls, want none after 3", err, f.calls)
		}
		f = &failing{fails: 3}
		err := call(t.Context(), f)
		var e *runtime.Error
		if !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) || f.calls != 3 {
			t.Errorf("three failures: %v after %d calls, want an error after 3", err, f.calls)
		}
	})
}

// must returns a value of which there is one.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

type transport struct{ err error }

func (r transport) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }

func TestRoundTripperIsPassedThrough(t *testing.T) {
	t.Parallel()
	w := must[*roundtripper.ResilientRoundTripper](t)(roundtripper.NewResilientRoundTripper(transport{http.ErrAbortHandler}))
	if _, err := w.RoundTrip(nil); err != http.ErrAbortHandler { //nolint:errorlint,bodyclose // the very error, and no response
		t.Errorf("got %v", err)
	}
}

func TestFSIsPassedThrough(t *testing.T) {
	t.Parallel()
	w := must[*wrappedfs.ResilientFS](t)(wrappedfs.NewResilientFS(fstest.MapFS{"a": {Data: []byte("x")}}))
	if err := fstest.TestFS(w, "a"); err != nil {
		t.Error(err)
	}
	if _, err := w.Open("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

type sqlConn struct{ driver.Conn }

func (sqlConn) Begin() (driver.Tx, error) { return nil, driver.ErrBadConn }

func TestConnIsPassedThrough(t *testing.T) {
	t.Parallel()
	w := must[*conn.ResilientConn](t)(conn.NewResilientConn(sqlConn{}))
	if _, err := w.Begin(); err != driver.ErrBadConn { //nolint:errorlint // database/sql asks for the very error
		t.Errorf("got %v", err)
	}
}

type redisClient struct{ redis.Cmdable }

func (redisClient) Get(ctx context.Context, key string) *redis.StringCmd {
	cmd := redis.NewStringCmd(ctx, "get", key)
	cmd.SetVal("value of " + key)
	return cmd
}

func TestCmdableIsPassedThrough(t *testing.T) { // its errors are in what it returns
	t.Parallel()
	w := must[*cmdable.ResilientCmdable](t)(cmdable.NewResilientCmdable(redisClient{}))
	if got, err := w.Get(t.Context(), "k").Result(); got != "value of k" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

type bucket struct {
	s3iface.S3API
	*failing
}

func (b bucket) GetObjectWithContext(ctx aws.Context, _ *s3.GetObjectInput, _ ...request.Option) (*s3.GetObjectOutput, error) {
	return &s3.GetObjectOutput{}, b.call(ctx)
}

func (b bucket) PutObjectWithContext(ctx aws.Context, _ *s3.PutObjectInput, _ ...request.Option) (*s3.PutObjectOutput, error) {
	return nil, b.call(ctx)
}

func TestS3API(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*s3api.ResilientS3API](t)(s3api.NewResilientS3API(bucket{failing: f}))
		_, err := w.GetObjectWithContext(ctx, &s3.GetObjectInput{}, request.WithLogLevel(aws.LogOff))
		return err
	})
}

func TestS3APIPutIsCalledOnce(t *testing.T) {
	t.Parallel()
	f := &failing{fails: 9}
	w := must[*s3api.ResilientS3API](t)(s3api.NewResilientS3API(bucket{failing: f}))
	if _, err := w.PutObjectWithContext(t.Context(), &s3.PutObjectInput{}); err == nil || f.calls != 1 {
		t.Errorf("got %v after %d calls, want an error after 1", err, f.calls)
	}
}

type kv struct {
	jetstream.KeyValue
	*failing
}

func (k kv) Get(ctx context.Context, _ string) (jetstream.KeyValueEntry, error) {
	return nil, k.call(ctx)
}

func TestKeyValue(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*keyvalue.ResilientKeyValue](t)(keyvalue.NewResilientKeyValue(kv{failing: f}))
		_, err := w.Get(ctx, "k")
		return err
	})
}

type pgTx struct {
	pgx.Tx
	*failing
}

// rows can be read as long as the context of their query goes on.
type rows struct {
	pgx.Rows

	ctx context.Context //nolint:containedctx // that is the case
}

func (r rows) Err() error { return r.ctx.Err() }
func (rows) Close()       {}

func (p pgTx) Query(ctx context.Context, _ string, _ ...any) (pgx.Rows, error) {
	return rows{ctx: ctx}, p.call(ctx)
}

func (p pgTx) Exec(ctx context.Context, _ string, _ ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, p.call(ctx)
}

func TestTx(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*tx.ResilientTx](t)(tx.NewResilientTx(pgTx{failing: f}))
		got, err := w.Query(ctx, "select $1", 1)
		if err != nil {
			return err
		}
		defer got.Close()
		time.Sleep(time.Hour)
		return got.Err() // they are read after the query returned
	})
}

type pointsClient struct {
	qdrant.PointsClient
	*failing
}

func (p pointsClient) Search(ctx context.Context, _ *qdrant.SearchPoints, _ ...grpc.CallOption) (*qdrant.SearchResponse, error) {
	return &qdrant.SearchResponse{}, p.call(ctx)
}

func TestPointsClient(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*points.ResilientPointsClient](t)(points.NewResilientPointsClient(pointsClient{failing: f}))
		_, err := w.Search(ctx, &qdrant.SearchPoints{})
		return err
	})
}

type spans struct{ *failing }

func (s spans) ExportSpans(ctx context.Context, _ []trace.ReadOnlySpan) error { return s.call(ctx) }
func (spans) Shutdown(context.Context) error                                  { return nil }

func TestSpanExporter(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*exporter.ResilientSpanExporter](t)(exporter.NewResilientSpanExporter(spans{f}))
		return w.ExportSpans(ctx, nil)
	})
}

type user struct{ id int }

func (u user) Key() int { return u.id }

type users struct{ *failing }

func (u users) Find(ctx context.Context, id int) (*user, error) { return &user{id}, u.call(ctx) }

func (u users) All(ctx context.Context) (iter.Seq2[int, user], error) {
	return func(yield func(int, user) bool) { yield(1, user{1}) }, u.call(ctx)
}

func (u users) Save(ctx context.Context, _ ...user) error { return u.call(ctx) }

func TestRepository(t *testing.T) {
	retried(t, func(ctx context.Context, f *failing) error {
		w := must[*repository.ResilientRepository[user, int]](t)(repository.NewResilientRepository(users{f}))
		got, err := w.Find(ctx, 7)
		if err == nil && got.id != 7 {
			t.Errorf("got %v", got)
		}
		return err
	})
}
