-- How many members each sorted set has, and its latest ones.
-- KEYS: sorted sets of edges. ARGV: the rank of the last member to read. Replies {count, {members}} for each key.
local found = {}
for i, key in ipairs(KEYS) do
  found[i] = {redis.call('ZCARD', key), redis.call('ZREVRANGE', key, 0, ARGV[1])}
end
return found
