-- A part of an import: every command and the place that it came to, or nothing when another run was there before.
-- KEYS: the hash of the import, one key a command. ARGV: the place from which this part goes on, the place it comes to,
-- the number of words of each command as JSON, and the words of all commands without their keys.
-- Replies 1 when it was done, 0 when the import is elsewhere.
if (redis.call('HGET', KEYS[1], 'place') or '') ~= ARGV[1] then return 0 end
local a = 4
for i, length in ipairs(cjson.decode(ARGV[3])) do
  redis.call(ARGV[a], KEYS[1 + i], unpack(ARGV, a + 1, a + length - 1))
  a = a + length
end
redis.call('HSET', KEYS[1], 'place', ARGV[2])
return 1
