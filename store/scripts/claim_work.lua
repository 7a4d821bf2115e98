-- Claims entries of durable work that are due; of bulk work only where no live work is.
-- KEYS: the work, its attempts. ARGV: now as a score of live and of bulk work, the lease's end as both, the most entries to
-- claim, the lowest score of bulk work. Replies {{entries}, {attempts of each}, how many more are due, whether bulk}.
local found, lease, bulk = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[5]), ARGV[3], 0
if not found[1] then
  found, lease, bulk = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[6], ARGV[2], 'LIMIT', 0, ARGV[5]), ARGV[4], 1
end
local attempts = {}
for i, entry in ipairs(found) do
  redis.call('ZADD', KEYS[1], lease, entry)
  attempts[i] = redis.call('HINCRBY', KEYS[2], entry, 1)
end
local more = redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[1]) + redis.call('ZCOUNT', KEYS[1], ARGV[6], ARGV[2])
return {found, attempts, more, bulk}
