-- Raises the schema version by one step, unless another process did.
-- KEYS: the version. ARGV: the version before, the version after.
if (redis.call('GET', KEYS[1]) or '0') == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
