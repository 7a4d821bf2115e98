-- Which commands the user of this connection may not use. A user who may use some commands alone would get half of a
-- write done: a script is not taken back.
-- ARGV: commands as JSON lists of words. Replies the names of those that are refused.
local refused = {}
for i = 1, #ARGV do
  local words = cjson.decode(ARGV[i])
  if not redis.acl_check_cmd(unpack(words)) then refused[#refused + 1] = words[1] end
end
return refused
