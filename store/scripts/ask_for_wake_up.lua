-- Whether a wake-up is to be sent, noting it as sent.
-- KEYS: the wake-ups sent. ARGV: the namespace, now, the moment up to which an earlier one counts as lost. Replies 1 or 0.
local sent = redis.call('ZSCORE', KEYS[1], ARGV[1])
if sent and tonumber(sent) > tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
