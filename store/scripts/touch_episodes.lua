-- Counts the age of episodes anew because they were used; those that are in no due set are left alone.
-- KEYS: the due set of archiving, the last uses. ARGV: now, and for each episode its encoded id and when it falls due.
-- Replies how many were refreshed.
local touched = 0
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    redis.call('ZADD', KEYS[1], 'GT', ARGV[i + 1], ARGV[i])
    redis.call('ZADD', KEYS[2], 'GT', ARGV[1], ARGV[i])
    touched = touched + 1
  end
end
return touched
