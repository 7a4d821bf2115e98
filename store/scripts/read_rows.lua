-- The fields of search rows, long texts and keywords cut short.
-- KEYS: the rows. ARGV: the most bytes of a text, how many fields, the fields (text, keywords and context are the third to
-- the fifth), and the keywords that are kept wherever they stand. Replies the values of each row.
local rows, most, fields = {}, tonumber(ARGV[1]), tonumber(ARGV[2])
for i, key in ipairs(KEYS) do
  local row = redis.call('HMGET', key, unpack(ARGV, 3, 2 + fields))
  for _, place in ipairs({3, 4, 5}) do
    local whole = row[place]
    if whole and #whole > most then
      local read = {string.sub(whole, 1, most)}
      if place == 4 then
        whole = whole .. ' '
        for word = 3 + fields, #ARGV do
          if string.find(whole, ' ' .. ARGV[word] .. ' ', most, true) then read[#read + 1] = ARGV[word] end
        end
      end
      row[place] = table.concat(read, ' ')
    end
  end
  rows[i] = row
end
return rows
