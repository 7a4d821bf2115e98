#!lua
-- One write of Reverie: all of it or, when a guard fails, nothing. The line above makes Redis refuse the whole script
-- when it is full, read-only or cannot save; without it a script would be refused at the first command that grows.
-- KEYS: the namespace marker, one key a guard, one key a condition, one key a command.
-- ARGV: the index generation, number of guards, of conditions, of commands; per guard its kind and argument;
--       per command the number of its condition (0 = none), how many words follow, and the words without the key.
-- Replies {1, {conditions met}, {replies}}, {0, guard, payload}, {-1} for a namespace that is not registered, or
-- {-2} for a writer that still makes rows for an index that was replaced, or {-3} for one that an erasure overtook.
local generation = redis.call('GET', KEYS[1])
if not generation then return {-1} end
if generation ~= ARGV[1] then return {-2} end
local guards, conditions, commands = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local a = 5
for i = 1, guards do
  local key, kind, want = KEYS[1 + i], ARGV[a], ARGV[a + 1]
  a = a + 2
  if kind == 'absent' then
    if redis.call('EXISTS', key) == 1 then return {0, i, redis.call('JSON.GET', key, '$')} end
  elseif kind == 'unset' then
    if redis.call('EXISTS', key) == 1 then return {0, i, ''} end
  elseif kind == 'present' then
    if redis.call('EXISTS', key) == 0 then return {0, i, ''} end
  elseif kind == 'revision' then
    local found = redis.call('JSON.GET', key, '$.revision')
    if found ~= '[' .. want .. ']' then return {0, i, found or ''} end
  elseif kind == 'member' then
    if not redis.call('ZSCORE', key, want) then return {0, i, ''} end
  elseif kind == 'due' then
    local latest, member = string.match(want, '^(%S+) (.*)$')
    local found = redis.call('ZSCORE', key, member)
    if not found or tonumber(found) > tonumber(latest) then return {0, i, found or ''} end
  elseif kind == 'tail' then
    local length, members = string.match(want, '^(%d+) (.*)$')
    local found = table.concat(redis.call('ZRANGE', key, -tonumber(length), -1), ' ')
    if found ~= members then return {0, i, found} end
  elseif kind == 'erasures' then
    if (redis.call('GET', key) or '') ~= want then return {-3} end
  elseif kind == 'value' then
    local found = redis.call('GET', key) or ''
    if found ~= want then return {0, i, found} end
  else
    return redis.error_reply('unknown guard ' .. kind)
  end
end
local met = {}
for i = 1, conditions do met[i] = redis.call('EXISTS', KEYS[1 + guards + i]) end
local replies = {}
for i = 1, commands do
  local condition, words = tonumber(ARGV[a]), tonumber(ARGV[a + 1])
  a = a + 2
  if condition == 0 or met[condition] == 1 then
    local key = KEYS[1 + guards + conditions + i]
    replies[i] = redis.call(ARGV[a], key, unpack(ARGV, a + 1, a + words - 1))
  else
    replies[i] = false
  end
  a = a + words
end
return {1, met, replies}
