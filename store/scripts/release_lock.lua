-- Frees a lock that is still held by this token.
-- KEYS: the lock. ARGV: the token. Replies 1, or 0 when another holds it.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0
