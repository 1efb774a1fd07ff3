-- Counts what a replica owes to the buckets of a shared limit, and takes what it wants, from all of them or from none.
--
-- KEYS[1]  the buckets: a hash with the time up to which it counts, and what is used of each
-- KEYS[2]  the replicas: a sorted set of their names by when they asked last
-- ARGV     the replica's name; for how many microseconds it counts as there; 1 where the buckets are known to have been here;
--          then for each bucket its number, rate in a second, most, debt, owed, least and want
--
-- It returns the microseconds until there is enough, those until all is full, the number of replicas, and for each bucket what was
-- taken and what is left. Numbers that are not whole are texts: Redis would cut them.
local slack = 1e-6
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local function text(n) return string.format('%.17g', n) end
local function stamp(n) return string.format('%.0f', n) end

local lasts = tonumber(ARGV[2])
redis.call('ZADD', KEYS[2], stamp(now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', stamp(now - lasts))
redis.call('PEXPIRE', KEYS[2], stamp(lasts / 1000))
local replicas = redis.call('ZCARD', KEYS[2])

local at = redis.call('HGET', KEYS[1], 'at')
local lost = not at and ARGV[3] == '1'
-- A clock that went back counts from where it is.
local passed = at and math.max(now - tonumber(at), 0) / 1000000 or 0

local buckets, wait = {}, 0
for i = 4, #ARGV, 7 do
  local b = {
    field = ARGV[i], rate = tonumber(ARGV[i + 1]), most = tonumber(ARGV[i + 2]), debt = tonumber(ARGV[i + 3]),
    owed = tonumber(ARGV[i + 4]), least = tonumber(ARGV[i + 5]), want = tonumber(ARGV[i + 6]),
  }
  local used = tonumber(redis.call('HGET', KEYS[1], b.field) or '0')
  if lost then used = b.most end
  used = math.max(used - b.rate * passed, 0)
  b.used = math.min(math.max(used + b.owed, 0), b.most + b.debt)
  wait = math.max(wait, (math.min(b.least, b.most) - b.most + b.used - slack) / b.rate)
  buckets[#buckets + 1] = b
end

local answer, full = {}, 0
for _, b in ipairs(buckets) do
  local taken = 0
  if wait <= 0 then
    taken = math.max(b.least, math.min(b.want, b.most - b.used))
    b.used = b.used + taken
  end
  redis.call('HSET', KEYS[1], b.field, text(b.used))
  full = math.max(full, b.used / b.rate)
  answer[#answer + 1] = text(taken)
  answer[#answer + 1] = text(b.most - b.used)
end
redis.call('HSET', KEYS[1], 'at', stamp(now))
redis.call('PEXPIRE', KEYS[1], stamp(math.ceil(full * 1000) + 1000))

return {stamp(math.ceil(math.max(wait, 0) * 1000000)), stamp(math.ceil(full * 1000000)), replicas, unpack(answer)}
