package main

import (
	"context"
)

// specials are the scenarios that are more than calls with what was recorded.
var specials = map[string]func(ctx context.Context, b *band, s *scenario) error{}
