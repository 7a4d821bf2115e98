-- Notes what the search index is built for, unless it is noted already: one winner writes all, the losers read it back.
-- KEYS: the note. ARGV: fields and values.
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
