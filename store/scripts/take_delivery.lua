#!lua flags=allow-oom
-- Puts messages of dead takers back into their queues, then takes the next message of the first queue that has one.
-- Both only move what is there already: they may run where the memory is full, or nothing would ever be worked off.
-- Each step that adds comes before the one that removes: where the server refuses one, nothing is gone.
-- KEYS: the taken, the leases, the queues. ARGV: the tag, the lease in milliseconds, the most bytes of a message to reply,
-- the most messages to put back. Replies {queue, message}, or nil.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
for _, tag in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[4])) do
  local held = redis.call('HGET', KEYS[1], tag)
  if held then
    local line = string.find(held, '\n', 1, true)
    local raw = string.sub(held, line + 1)
    if string.sub(held, 1, 1) == '+' and string.sub(raw, 1, 1) ~= '\n' then raw = '\n' .. raw end
    redis.call('RPUSH', string.sub(held, 2, line - 1), raw)
  end
  redis.call('HDEL', KEYS[1], tag)
  redis.call('ZREM', KEYS[2], tag)
end
for i = 3, #KEYS do
  local raw = redis.pcall('LINDEX', KEYS[i], -1)
  if type(raw) == 'string' then
    redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
    redis.call('HSET', KEYS[1], ARGV[1], '+' .. KEYS[i] .. '\n' .. raw)
    redis.call('RPOP', KEYS[i])
    if #raw > tonumber(ARGV[3]) then raw = string.sub(raw, 1, 1) end
    return {KEYS[i], raw}
  end
end
return false
