-- A message, and those of its session before a moment, the newest first.
-- KEYS: the order of the session, the message. ARGV: the moment in microseconds, the most messages, the prefix of messages.
-- Replies {message or "", {messages or ""}}.
local found = redis.call('ZRANGE', KEYS[1], '(' .. ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2])
local documents = {}
for i, member in ipairs(found) do
  documents[i] = redis.call('JSON.GET', ARGV[3] .. string.match(member, '[^.]*$'), '$') or ''
end
return {redis.call('JSON.GET', KEYS[2], '$') or '', documents}
