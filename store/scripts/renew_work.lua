-- Moves the lease's end of entries that are still claimed as they were.
-- KEYS: the work. ARGV: the score they were claimed with, the new score, the entries. Replies how many were moved.
local renewed = 0
for i = 3, #ARGV do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or 0) == tonumber(ARGV[1]) then
    renewed = renewed + redis.call('ZADD', KEYS[1], 'CH', ARGV[2], ARGV[i])
  end
end
return renewed
