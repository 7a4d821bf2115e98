-- Takes a lock that is free.
-- KEYS: the lock, its fencing counter. ARGV: the token, the lease in milliseconds. Replies the fencing number, or 0.
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
return 0
