-- Puts a namespace that is still in hand back to where it waits.
-- KEYS: the waiting. ARGV: the namespace, the moment it was taken until, the moment of its next turn or "" for none.
-- Replies 1, or 0 when it is not in hand any more.
local found = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not found or tonumber(found) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then return redis.call('ZREM', KEYS[1], ARGV[1]) end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
return 1
