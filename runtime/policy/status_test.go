package policy_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// C026: the table of product.md section 4, the same for every operation.
func TestClassifyStatus(t *testing.T) {
	t.Parallel()
	tests := map[policy.Kind][]int{
		policy.KindNone:      {200, 201, 204, 206, 299},
		policy.KindThrottle:  {429, 529},
		policy.KindTransient: {408, 500, 502, 503, 504, 520, 522, 524},
		policy.KindUnusable:  {401, 402, 403},
		policy.KindCaller:    {400, 404, 409, 413, 422},
		policy.KindPermanent: {0, 100, 301, 304, 405, 410, 415, 425, 451, 501, 505, 511, 599, 999, -1},
	}
	for want, statuses := range tests {
		for _, status := range statuses {
			for _, i := range []policy.Idempotency{policy.None, policy.Idempotent, policy.Safe} {
				if got := policy.ClassifyStatus(status, i, 2); got != want {
					t.Errorf("ClassifyStatus(%d, %v) = %v, want %v", status, i, got, want)
				}
			}
			if got := policy.ClassifyStatus(status, policy.Keyed, 1); got != want {
				t.Errorf("ClassifyStatus(%d, keyed) = %v, want %v", status, got, want)
			}
		}
	}
	if got := policy.ClassifyStatus(409, policy.Keyed, 2); got != policy.KindTransient {
		t.Errorf("409 on our own second attempt is %v, want transient: the first is still in progress", got)
	}
}

// T28: what is the caller's fault, or proves that nothing was done, is no evidence and costs nothing.
func TestT28_VerdictOfStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status  int
		kind    policy.Kind
		verdict policy.Verdict
		inDoubt bool
	}{
		{200, policy.KindNone, policy.Success, false},
		{429, policy.KindThrottle, policy.Neutral, false},
		{529, policy.KindThrottle, policy.Failure, true},
		{503, policy.KindTransient, policy.Failure, true},
		{400, policy.KindCaller, policy.Answered, false},
		{405, policy.KindPermanent, policy.Answered, false},
		{410, policy.KindPermanent, policy.Answered, false},
		{499, policy.KindPermanent, policy.Answered, false},
		{402, policy.KindUnusable, policy.Failure, false},
		{501, policy.KindPermanent, policy.Failure, false},
		{302, policy.KindPermanent, policy.Failure, false},
		{429, policy.KindUnusable, policy.Failure, false},
		{0, policy.KindConnect, policy.Failure, false},
		{0, policy.KindReset, policy.Failure, true},
		{200, policy.KindDecode, policy.Failure, true},
	}
	for _, tt := range tests {
		if got := policy.VerdictOfStatus(tt.status, tt.kind); got != tt.verdict {
			t.Errorf("VerdictOfStatus(%d, %v) = %v, want %v", tt.status, tt.kind, got, tt.verdict)
		}
		if got := policy.InDoubtAfter(tt.status, tt.kind); got != tt.inDoubt {
			t.Errorf("InDoubtAfter(%d, %v) = %v, want %v", tt.status, tt.kind, got, tt.inDoubt)
		}
	}
}
