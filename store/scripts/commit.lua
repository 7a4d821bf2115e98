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

-- An error in the middle would leave the commands before it done. So nothing is written before all of it was looked at.
-- Each key is asked what only one of its type can answer: a key that holds something else ends the script here. What this
-- write itself made or removed is left out. Documents were looked at by who sent them (store/storable.py).
local asks = {
  ZADD = 'ZCARD', ZREM = 'ZCARD', ZINCRBY = 'ZCARD', HSET = 'HLEN', HSETNX = 'HLEN', HDEL = 'HLEN', SREM = 'SCARD',
  INCR = 'STRLEN',
  ['JSON.SET'] = 'JSON.TYPE', ['JSON.DEL'] = 'JSON.TYPE', ['JSON.NUMINCRBY'] = 'JSON.TYPE',
}
-- Each gives what is wrong with the words of a command, from place `from` to place `to`; nothing when they will do.
local flaws, flags = {}, {NX = true, XX = true, GT = true, LT = true, CH = true}
local function is_number(word)
  local number = tonumber(word)
  return number ~= nil and number == number
end
function flaws.ZADD(from, to)
  while flags[ARGV[from]] do from = from + 1 end
  if (to - from) % 2 == 0 then return 'a score without a member' end
  for place = from, to, 2 do
    if not is_number(ARGV[place]) then return 'a score that is no number' end
  end
end
function flaws.ZINCRBY(from)
  if not is_number(ARGV[from]) then return 'a score that is no number' end
end
function flaws.HSET(from, to)
  if (to - from) % 2 == 0 then return 'a field without a value' end
end
flaws['JSON.NUMINCRBY'] = function(from)
  if not is_number(ARGV[from + 1]) then return 'an increment that is no number' end
end
-- The same of what a command meets in its key.
local misfits = {}
function misfits.INCR(key)
  local found = redis.call('GET', key)
  if found and not (string.match(found, '^-?%d+$') and #found < 16) then return 'a counter that is no number' end
end
misfits['JSON.NUMINCRBY'] = function(key, from)
  local kind = redis.call('JSON.TYPE', key, ARGV[from])
  kind = type(kind) == 'table' and kind[1] or kind
  if kind ~= 'integer' and kind ~= 'number' then return 'a sum with what is no number' end
end
misfits['JSON.SET'] = function(key, from)
  if ARGV[from] ~= '$' and not redis.call('JSON.TYPE', key) then return 'a part of a document that is not there' end
end
local first_key, seen, used, a = 1 + #guards + plan.conditions, {}, {}, 2
for i, length in ipairs(lengths) do
  local key, command, to = KEYS[first_key + i], ARGV[a], a + length - 1
  if met[when[i]] == 1 then
    -- What a user may do can change at any time. (The fake server of tests has no users.)
    if redis.acl_check_cmd and not (seen[key] and used[command]) then
      used[command] = true
      if not redis.acl_check_cmd(command, key, unpack(ARGV, a + 1, to)) then
        return redis.error_reply('NOPERM this user has no permissions to use ' .. command .. ' here')
      end
    end
    local flaw = flaws[command] and flaws[command](a + 1, to)
    if not seen[key] then
      seen[key] = true
      if asks[command] then redis.call(asks[command], key) end
      flaw = flaw or misfits[command] and misfits[command](key, a + 1)
    end
    if flaw then return redis.error_reply('ERR a write holds ' .. flaw) end
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
