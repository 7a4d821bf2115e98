-- Takes the namespace whose turn it is: live work before bulk, which gets one turn in four once it has starved.
-- KEYS: the waiting, the waiting for bulk work, the wake-ups sent, the last look, the counter of turns. ARGV: now, until when
-- it is in hand, since when bulk work counts as starved, the wake-up that was heeded (moments in microseconds).
-- Replies {namespace, whether bulk, how many others wait}, or {}.
redis.call('ZREM', KEYS[3], ARGV[4])
redis.call('SET', KEYS[4], ARGV[1])
local order = {1, 2}
local oldest = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[3], 'LIMIT', 0, 1)
if oldest[1] and redis.call('INCR', KEYS[5]) % 4 == 0 then order = {2, 1} end
for _, lane in ipairs(order) do
  local found = redis.call('ZRANGEBYSCORE', KEYS[lane], '-inf', ARGV[1], 'LIMIT', 0, 1)
  if found[1] then
    redis.call('ZADD', KEYS[lane], ARGV[2], found[1])
    local others = redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[1]) + redis.call('ZCOUNT', KEYS[2], '-inf', ARGV[1])
    return {found[1], lane - 1, others}
  end
end
return {}
