package floor

import "time"

// base is where this process's clock begins.
var base = time.Now()

// Now returns the monotonic time since the process began, in nanoseconds. It costs about half of time.Now, which reads two clocks.
func Now() int64 { return int64(time.Since(base)) }
