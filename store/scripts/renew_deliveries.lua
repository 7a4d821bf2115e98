#!lua flags=allow-oom
-- Keeps taken messages for longer.
-- KEYS: the leases. ARGV: the milliseconds from now, the tags.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[i]) end
