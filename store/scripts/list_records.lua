-- Puts records that are there into the order of their kind; one that is in it keeps its place.
-- KEYS: the order, then one record key each. ARGV: the moment and the member of each, in turns.
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('ZADD', KEYS[1], 'NX', ARGV[2 * i - 3], ARGV[2 * i - 2])
  end
end
