-- What a change of a fact has to know.
-- KEYS: the slot's counter, the declared predicates, the facts of the slot, what the fact points to, and the records that
-- support it. ARGV: the prefix of facts and of their rows, the fact's encoded id, the predicate, its cardinality unless
-- declared (1 for one value), and for each supporting record the member that says it counts already.
-- Replies {counter, cardinality, {fact, vector}, {{rival, vector}}, {{record, whether it counts}}}.
local function get(id)
  local key = ARGV[1] .. id
  local document = redis.call('JSON.GET', key, '$')
  if not document then return {'', ''} end
  return {document, redis.call('HGET', ARGV[2] .. id .. '.1', 'v') or ''}
end
local own = get(ARGV[3])
local single = redis.call('HGET', KEYS[2], ARGV[4]) or ARGV[5]
local rivals = {}
if single == '1' then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    if id ~= ARGV[3] then rivals[#rivals + 1] = get(id) end
  end
end
local observations = {}
for i = 5, #KEYS do
  local document = redis.call('JSON.GET', KEYS[i], '$')
  local known = redis.call('ZSCORE', KEYS[4], ARGV[i + 1])
  observations[i - 4] = {document or '', known and 1 or 0}
end
return {redis.call('GET', KEYS[1]) or '', single, own, rivals, observations}
