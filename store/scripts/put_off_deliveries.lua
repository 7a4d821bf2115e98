#!lua flags=allow-oom
-- Lets taken messages go back to their queues at a later moment.
-- KEYS: the taken, the leases. ARGV: the milliseconds until then, "+" or "." for delivered before or not, the tags.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
for i = 3, #ARGV do
  local held = redis.call('HGET', KEYS[1], ARGV[i])
  if held then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[2] .. string.sub(held, 2))
    redis.call('ZADD', KEYS[2], now + ARGV[1], ARGV[i])
  end
end
