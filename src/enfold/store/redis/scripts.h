// SPDX-License-Identifier: Apache-2.0
// The Lua scripts that run inside Redis, one for each operation, so that the operation is atomic
// and takes one round trip. Every key that a script uses is among its KEYS and has the same hash
// tag, as Redis Cluster requires. docs/reference/formats/archive.md explains the records.
#pragma once

namespace enfold::store::detail {

// KEYS of the archive's scripts, in this order: entry, data, handle (gives the field), order
// (fields by last put), due (fields by expiry), sums. A field is the hash of the content; the same
// bytes of a second media type have another field: the hash, a space and the media type. The size
// of a damaged record is unknown, so when one is removed the sums are counted again.
//
// A caller passes `now`, the time in seconds at which its operation began, and `clock`, the
// microseconds of its system clock when it sends the script. If that clock and the server's differ
// by more than synchronised clocks do, the difference is added to `now`, so that replicas with
// different clocks agree on what has expired and on what a bucket holds.

/// The newest format of the archive that the scripts below read and write.
inline constexpr int kNewestFormat = 2;

// ahead(clock): microseconds to add to a caller's time; 0 if both clocks are synchronised.
#define ENFOLD_LUA_CLOCK                                         \
  "local function ahead(clock) "                                 \
  "  local time = redis.call('TIME') "                           \
  "  local difference = time[1] * 1000000 + time[2] - clock "    \
  "  return math.abs(difference) > 2000000 and difference or 0 " \
  "end "

// The functions that the scripts of the archive share:
//   server_time(seconds, clock)  a caller's time in seconds, corrected by `ahead`
//   check()                      the reply for an archive of a newer program; else nil. An archive
//                                has version 1, or 2 if a field in it has a media type
//   recount()                    counts the sums again from the entries
//   parts(field)                 the numbers of an entry; nil if it is missing or damaged
//   drop(field)                  removes an entry from all keys and from the sums
//   drop_expired(now, most)      removes expired entries; returns their number
#define ENFOLD_LUA_OPENING                                                                        \
  ENFOLD_LUA_CLOCK                                                                                \
  "local function server_time(seconds, clock) "                                                   \
  "  return string.format('%.0f', seconds + math.floor(ahead(clock) / 1000000 + 0.5)) "           \
  "end "                                                                                          \
  "local function check() "                                                                       \
  "  local version = tonumber(redis.call('HGET', KEYS[6], 'version') or '1') "                    \
  "  if version > 2 then return {'newer', version} end "                                          \
  "end "                                                                                          \
  "local function recount() "                                                                     \
  "  local size, stored, fields = 0, 0, redis.call('HGETALL', KEYS[1]) "                          \
  "  for i = 1, #fields, 2 do "                                                                   \
  "    size = size + (string.match(fields[i + 1], '^%d+ (%d+) %d+ ') or 0) "                      \
  "    stored = stored + redis.call('HSTRLEN', KEYS[2], fields[i]) "                              \
  "  end "                                                                                        \
  "  redis.call('HSET', KEYS[6], 'entries', #fields / 2, "                                        \
  "    'size', string.format('%.0f', size), 'stored', string.format('%.0f', stored)) "            \
  "end "                                                                                          \
  "local function parts(field) "                                                                  \
  "  local handle, size, stored, created, expires = string.match( "                               \
  "    redis.call('HGET', KEYS[1], field) or '', '^(%d+) (%d+) (%d+) %d+ (%-?%d+) (%-?%d+)\\n') " \
  "  local sound = handle and tonumber(stored) == redis.call('HSTRLEN', KEYS[2], field) "         \
  "    and redis.call('HGET', KEYS[3], handle) == field "                                         \
  "  if sound then return handle, size, stored, created, expires end "                            \
  "end "                                                                                          \
  "local function drop(field) "                                                                   \
  "  local handle, size, stored = parts(field) "                                                  \
  "  redis.call('HDEL', KEYS[1], field) "                                                         \
  "  redis.call('HDEL', KEYS[2], field) "                                                         \
  "  redis.call('ZREM', KEYS[4], field) "                                                         \
  "  redis.call('ZREM', KEYS[5], field) "                                                         \
  "  if handle then "                                                                             \
  "    redis.call('HDEL', KEYS[3], handle) "                                                      \
  "    redis.call('HINCRBY', KEYS[6], 'entries', -1) "                                            \
  "    redis.call('HINCRBY', KEYS[6], 'size', string.format('%.0f', 0 - size)) "                  \
  "    redis.call('HINCRBY', KEYS[6], 'stored', string.format('%.0f', 0 - stored)) "              \
  "  else "                                                                                       \
  "    local handles = redis.call('HGETALL', KEYS[3]) "                                           \
  "    for i = 1, #handles, 2 do "                                                                \
  "      if handles[i + 1] == field then redis.call('HDEL', KEYS[3], handles[i]) end "            \
  "    end "                                                                                      \
  "    recount() "                                                                                \
  "  end "                                                                                        \
  "end "                                                                                          \
  "local function drop_expired(now, most) "                                                       \
  "  local gone = redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now, 'LIMIT', 0, most) "           \
  "  for _, field in ipairs(gone) do drop(field) end "                                            \
  "  return #gone "                                                                               \
  "end "

/// ARGV: now, expires, hash, size, stored, codec, cap, seconds the keys must live, meta, media
/// type, data, number of expired entries to remove, clock, maximum of entries, handles … Returns
/// {"done", handle, created, expires}, {"newer", version} if a newer program wrote the archive,
/// {"full"} if no handle is free.
inline constexpr const char* kPutScript = ENFOLD_LUA_OPENING R"lua(
local newer = check()
if newer then return newer end
local now = server_time(ARGV[1], ARGV[13])
drop_expired(now, ARGV[12])
local function media_type_of(entry)
  local text, at = nil, (string.find(entry, '\n', 1, true) or #entry) + 1
  for _ = 1, 3 do
    local length, colon = string.match(entry, '^(%d+)():', at)
    if not length then return nil end
    text = string.sub(entry, colon + 1, colon + length)
    at = colon + length + 2
  end
  return text
end
local function field_for(hash, media_type)
  local own = hash .. ' ' .. media_type
  if redis.call('HEXISTS', KEYS[1], own) == 1 then return own end
  local other = media_type_of(redis.call('HGET', KEYS[1], hash) or '')
  return other and other ~= media_type and own or hash
end
local field, size, stored = field_for(ARGV[3], ARGV[10]), ARGV[4], ARGV[5]
local handle, created, expires = nil, now, string.format('%.0f', ARGV[2] + now - ARGV[1])
local old_handle, old_size, old_stored, old_created, old_expires = parts(field)
local opens = false -- a handle that does not follow from the content never opens it
for i = 15, #ARGV do opens = opens or ARGV[i] == old_handle end
if opens then
  handle = old_handle
  if tonumber(old_expires) > tonumber(now) then created = old_created end
  if tonumber(old_expires) > tonumber(expires) then expires = old_expires end
else
  if redis.call('HEXISTS', KEYS[1], field) == 1 or redis.call('ZSCORE', KEYS[4], field) then
    drop(field)
  end
  for i = 15, #ARGV do
    if redis.call('HEXISTS', KEYS[3], ARGV[i]) == 0 then
      handle = ARGV[i]
      break
    end
  end
  if not handle then return {'full'} end
  redis.call('HINCRBY', KEYS[6], 'entries', 1)
  old_size, old_stored = 0, 0
end
redis.call('HINCRBY', KEYS[6], 'size', string.format('%.0f', size - old_size))
redis.call('HINCRBY', KEYS[6], 'stored', string.format('%.0f', stored - old_stored))
local sequence = redis.call('HINCRBY', KEYS[6], 'sequence', 1)
redis.call('HSETNX', KEYS[6], 'version', 1)
if field ~= ARGV[3] then redis.call('HSET', KEYS[6], 'version', 2) end
redis.call('HSET', KEYS[1], field, table.concat(
  {handle, size, stored, ARGV[6], created, expires}, ' ') .. '\n' .. ARGV[9])
if redis.call('HGET', KEYS[2], field) ~= ARGV[11] then
  redis.call('HSET', KEYS[2], field, ARGV[11])
end
redis.call('HSET', KEYS[3], handle, field)
redis.call('ZADD', KEYS[4], sequence, field)
redis.call('ZADD', KEYS[5], expires, field)
local function exceeds(sum, cap) return tonumber(redis.call('HGET', KEYS[6], sum)) > tonumber(cap) end
while exceeds('stored', ARGV[7]) or exceeds('entries', ARGV[14]) do
  local oldest = redis.call('ZRANGE', KEYS[4], 0, 0)[1]
  if not oldest or oldest == field then break end
  drop(oldest)
end
for _, key in ipairs(KEYS) do
  if redis.call('TTL', key) < tonumber(ARGV[8]) then redis.call('EXPIRE', key, ARGV[8]) end
end
return {'done', handle, created, expires}
)lua";

/// ARGV: "handle" or "hash", the reference, "1" for the data too, now, clock, and for a hash the
/// handles that its content may have. Returns {"found", field, entry, data, the server's now},
/// {"newer", version} or null.
inline constexpr const char* kFindScript = ENFOLD_LUA_OPENING R"lua(
local newer = check()
if newer then return newer end
local function last_put(field) return tonumber(redis.call('ZSCORE', KEYS[4], field) or '0') end
local field = ARGV[2]
if ARGV[1] == 'handle' then
  field = redis.call('HGET', KEYS[3], ARGV[2])
  if not field then return false end
end
for i = 6, #ARGV do
  local other = redis.call('HGET', KEYS[3], ARGV[i])
  local same = other and string.sub(other, 1, #ARGV[2]) == ARGV[2]
  if same and last_put(other) > last_put(field) then field = other end
end
local entry = redis.call('HGET', KEYS[1], field)
if not entry then return false end
local data = ARGV[3] == '1' and redis.call('HGET', KEYS[2], field)
return {'found', field, entry, data, server_time(ARGV[4], ARGV[5])}
)lua";

/// ARGV: first and last rank, the newest has 0; now, clock. Returns {"found", the server's now,
/// field, entry …}, or {"newer", version}.
inline constexpr const char* kListScript = ENFOLD_LUA_OPENING R"lua(
local newer = check()
if newer then return newer end
local found = {'found', server_time(ARGV[3], ARGV[4])}
for _, field in ipairs(redis.call('ZREVRANGE', KEYS[4], ARGV[1], ARGV[2])) do
  found[#found + 1] = field
  found[#found + 1] = redis.call('HGET', KEYS[1], field) or ''
end
return found
)lua";

/// ARGV: now, the number of entries to remove at most, clock. Returns how many were removed; what a
/// newer version has written is left alone.
inline constexpr const char* kExpireScript = ENFOLD_LUA_OPENING R"lua(
if check() then return 0 end
return drop_expired(server_time(ARGV[1], ARGV[3]), ARGV[2])
)lua";

#undef ENFOLD_LUA_OPENING

/// Takes one token if there is one, with the arithmetic of detail::Bucket. KEYS: the bucket. ARGV:
/// now, interval, capacity, clock, in microseconds. Returns {1 or 0, debt}: whether the call is
/// allowed, and the debt after it. The key outlives the debt by a minute, because clocks may
/// differ.
inline constexpr const char* kTakeScript = ENFOLD_LUA_CLOCK R"lua(
local now, interval, capacity = ARGV[1] + ahead(ARGV[4]), tonumber(ARGV[2]), tonumber(ARGV[3])
local debt = tonumber(redis.call('GET', KEYS[1]) or now) - now
if debt < 0 then debt = 0 end
if debt > capacity then debt = capacity end
local allowed = 0
if debt + interval <= capacity then
  allowed = 1
  debt = debt + interval
end
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX',
  string.format('%.0f', math.floor(debt / 1000) + 60000))
return {allowed, debt}
)lua";

#undef ENFOLD_LUA_CLOCK

}  // namespace enfold::store::detail
