-- What surrounds a goal, walked in one go: its goals below, their tasks, the sessions that served them, the newest
-- messages of those, and the facts and entities of the messages.
-- KEYS: the goal's record. ARGV: the namespace's key prefix, the goal's encoded id, and the most messages to return, to
-- walk, facts and entities. Replies {goal, {tasks}, {sessions}, {messages}, {facts}, {entities}}: documents, and encoded ids of sessions,
-- the newest first; or {} for a goal that is not there.
local base = ARGV[1]
local returned, walked, most_facts, most_entities =
  tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local goal = redis.call('JSON.GET', KEYS[1], '$')
if not goal then return {} end

local function documents(kind, ids, most)
  local found = {}
  for _, id in ipairs(ids) do
    if #found == most then break end
    local document = redis.call('JSON.GET', base .. kind .. ':' .. id, '$')
    if document then found[#found + 1] = document end
  end
  return found
end

-- Everything that is reached from `ids` by the edges, each once.
local function below(ids, key)
  local seen, order = {}, {}
  for _, id in ipairs(ids) do
    if not seen[id] then
      seen[id] = true
      order[#order + 1] = id
    end
  end
  local at = 1
  while at <= #order do
    for _, id in ipairs(redis.call('ZRANGE', base .. key .. order[at], 0, -1)) do
      if not seen[id] then
        seen[id] = true
        order[#order + 1] = id
      end
    end
    at = at + 1
  end
  return order
end

local goals = below({ARGV[2]}, 'in:PARENT_GOAL:goal:goal:')
local direct = {}
for _, id in ipairs(goals) do
  for _, task in ipairs(redis.call('ZRANGE', base .. 'in:PART_OF:task:goal:' .. id, 0, -1)) do
    direct[#direct + 1] = task
  end
end
local tasks = below(direct, 'in:SUBTASK_OF:task:task:')

-- Members with the latest of their scores, the newest first.
local latest, members = {}, {}
local function gather(key, first, last)
  local found = redis.call('ZRANGE', key, first, last, 'REV', 'WITHSCORES')
  for i = 1, #found, 2 do
    local member, score = found[i], tonumber(found[i + 1])
    if not latest[member] then
      members[#members + 1] = member
      latest[member] = score
    elseif latest[member] < score then
      latest[member] = score
    end
  end
end
local function gathered()
  local scores, order = latest, members
  table.sort(order, function(a, b)
    if scores[a] ~= scores[b] then return scores[a] > scores[b] end
    return a > b
  end)
  latest, members = {}, {}
  return order
end

for _, id in ipairs(goals) do gather(base .. 'in:FOR_GOAL:session:goal:' .. id, 0, -1) end
for _, id in ipairs(tasks) do gather(base .. 'in:FOR_TASK:session:task:' .. id, 0, -1) end
local sessions = gathered()
for _, id in ipairs(sessions) do gather(base .. 'in:IN_SESSION:message:session:' .. id, 0, walked - 1) end
local messages = gathered()
for i, member in ipairs(messages) do messages[i] = string.match(member, '[^.]*$') end

local facts, entities, known = {}, {}, {}
for i = 1, math.min(walked, #messages) do
  if #facts < most_facts then
    for _, id in ipairs(redis.call('ZRANGE', base .. 'in:STATED_IN:fact:message:' .. messages[i], 0, -1)) do
      if not known['f' .. id] then
        known['f' .. id] = true
        facts[#facts + 1] = id
      end
    end
  end
  if #entities < most_entities then
    for _, member in ipairs(redis.call('ZRANGE', base .. 'out:message:' .. messages[i], 0, -1)) do
      local id = string.match(member, '^MENTIONS:entity:(.*)$')
      if id and not known['e' .. id] then
        known['e' .. id] = true
        entities[#entities + 1] = id
      end
    end
  end
  if #facts >= most_facts and #entities >= most_entities then break end
end
return {
  goal, documents('task', tasks, -1), sessions, documents('message', messages, returned),
  documents('fact', facts, most_facts), documents('entity', entities, most_entities),
}
