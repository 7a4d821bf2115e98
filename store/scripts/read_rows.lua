-- The fields of search rows, long texts and keywords cut short.
-- KEYS: the rows. ARGV: the most bytes of a text, how many fields, the fields (the revision of the row's content first;
-- text, keywords and context are the third to the fifth), for each row the revision that is known of it or '', and the
-- keywords that are kept wherever they stand. Replies the values of each row, or 1 where the known revision is the present one.
local rows, most, fields = {}, tonumber(ARGV[1]), tonumber(ARGV[2])
for i, key in ipairs(KEYS) do
  local known = ARGV[2 + fields + i]
  if known ~= '' and redis.call('HGET', key, ARGV[3]) == known then
    rows[i] = 1
  else
    local row = redis.call('HMGET', key, unpack(ARGV, 3, 2 + fields))
    for _, field in ipairs({3, 4, 5}) do
      local whole = row[field]
      if whole and #whole > most then
        local read = {string.sub(whole, 1, most)}
        if field == 4 then
          whole = whole .. ' '
          for word = 3 + fields + #KEYS, #ARGV do
            if string.find(whole, ' ' .. ARGV[word] .. ' ', most, true) then read[#read + 1] = ARGV[word] end
          end
        end
        row[field] = table.concat(read, ' ')
      end
    end
    rows[i] = row
  end
end
return rows
