#!lua
-- One write of Reverie: all of it or, when a guard fails, nothing. The line above makes Redis refuse the whole script
-- when it is full, read-only or cannot save; without it a script would be refused at the first command that grows.
-- KEYS: the namespace marker, one key a guard, one key a condition, one key a command.
-- ARGV: the plan, and then the words of all commands without their keys. The plan is JSON with names: the index's
--       `generation`; `guards`, each an object with its `guard` and what that one wants; the number of `conditions`; by
--       command the `lengths` of its words and `when`, the number of its condition (0 = none).
-- Replies {1, {conditions met}, {replies}}, {0, guard, payload}, {-1} for a namespace that is not registered, or
-- {-2} for a writer that still makes rows for an index that was replaced, or {-3} for one that an erasure overtook.
local generation = redis.call('GET', KEYS[1])
if not generation then return {-1} end
local plan = cjson.decode(ARGV[1])
if generation ~= plan.generation then return {-2} end
local guards, lengths, when = plan.guards, plan.lengths, plan.when

-- Each gives what it found when the guard fails, and nothing when it holds.
local failing = {}
function failing.absent(key)
  if redis.call('EXISTS', key) == 1 then return redis.call('JSON.GET', key, '$') end
end
function failing.unset(key)
  if redis.call('EXISTS', key) == 1 then return '' end
end
function failing.present(key)
  if redis.call('EXISTS', key) == 0 then return '' end
end
function failing.revision(key, want)
  local found = redis.call('JSON.GET', key, '$.revision')
  if found ~= '[' .. want.revision .. ']' then return found or '' end
end
function failing.member(key, want)
  if not redis.call('ZSCORE', key, want.member) then return '' end
end
function failing.due(key, want)
  local found = redis.call('ZSCORE', key, want.member)
  if not found or tonumber(found) > want.latest then return found or '' end
end
function failing.latest(key, want)
  local found = redis.call('ZRANGE', key, -want.count, -1)
  local same = #found == #want.members
  for i = 1, #found do same = same and found[i] == want.members[i] end
  if not same then return '' end
end
function failing.value(key, want)
  local found = redis.call('GET', key) or ''
  if found ~= want.value then return found end
end
for i, want in ipairs(guards) do
  local found = failing[want.guard](KEYS[1 + i], want)
  if found then
    if want.overtaken then return {-3} end
    return {0, i, found}
  end
end

local met = {[0] = 1}
for i = 1, plan.conditions do met[i] = redis.call('EXISTS', KEYS[1 + #guards + i]) end

-- An error in the middle would leave the commands before it done. So each key is asked first what only one of its type
-- can answer: a key that holds something else ends the script here. What this write itself made or removed is left out.
local asks = {
  ZADD = 'ZCARD', ZREM = 'ZCARD', ZINCRBY = 'ZCARD', HSET = 'HLEN', HSETNX = 'HLEN', HDEL = 'HLEN', SREM = 'SCARD',
  INCR = 'STRLEN',
  ['JSON.SET'] = 'JSON.TYPE', ['JSON.DEL'] = 'JSON.TYPE', ['JSON.NUMINCRBY'] = 'JSON.TYPE',
}
local first_key, seen, a = 1 + #guards + plan.conditions, {}, 2
for i, length in ipairs(lengths) do
  local key = KEYS[first_key + i]
  if not seen[key] and met[when[i]] == 1 then
    seen[key] = true
    local ask = asks[ARGV[a]]
    if ask and not redis.call(ask, key) and ARGV[a] == 'JSON.SET' and ARGV[a + 1] ~= '$' then
      return redis.error_reply('ERR a part of a document was to be set where there is none')
    end
  end
  a = a + length
end

local replies = {}
a = 2
for i, length in ipairs(lengths) do
  if met[when[i]] == 1 then
    replies[i] = redis.call(ARGV[a], KEYS[first_key + i], unpack(ARGV, a + 1, a + length - 1))
  else
    replies[i] = false
  end
  a = a + length
end
return {1, met, replies}
