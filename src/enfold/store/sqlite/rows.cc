// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/rows.h"

#include <algorithm>
#include <limits>

namespace enfold::store::detail {

std::string_view to_blob(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::int64_t to_number(Time time) { return time.time_since_epoch().count(); }

std::int64_t to_number(std::uint64_t value) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
}

Digest read_digest(Statement& statement) {
  Digest digest{};
  const std::string bytes = statement.next_bytes();
  std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

Row read_row(Statement& statement) {
  Row row;
  row.handle = statement.next_bytes();
  row.hash = read_digest(statement);
  row.meta.tool = statement.next_bytes();
  row.meta.arguments_hash = statement.next_bytes();
  row.meta.media_type = statement.next_bytes();
  row.created = Time(std::chrono::seconds(statement.next_number()));
  row.expires = Time(std::chrono::seconds(statement.next_number()));
  row.size = static_cast<std::uint64_t>(statement.next_number());
  row.stored = static_cast<std::uint64_t>(statement.next_number());
  row.codec = static_cast<Codec>(statement.next_number());
  return row;
}

}  // namespace enfold::store::detail
