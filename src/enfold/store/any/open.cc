// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"
#include "enfold/store/redis/address.h"
#include "enfold/store/stores.h"

#include <fmt/format.h>
#include <string>

namespace enfold::store {

using Kind = Place::Kind;

Result<Place> parse_place(std::string_view place) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (place == "memory:" || place == "memory") return Place{Kind::memory, {}};
  if (place.starts_with("redis://") || place.starts_with("redis+unix://") ||
      place.starts_with("rediss://")) {
    ENFOLD_TRY([[maybe_unused]] const auto address, detail::parse_redis_url(place));
    return Place{Kind::redis, place};
  }
  std::string_view path = place;
  if (path.starts_with(kSqlite)) {
    path.remove_prefix(kSqlite.size());
    if (path.starts_with("//")) path.remove_prefix(2);
  } else if (path.find("://") != std::string_view::npos) {
    // The message contains only the scheme, because the rest of the URL may contain a password.
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a file or a Redis server as store, found {}://…",
                            path.substr(0, path.find("://"))),
                "", "Write memory, a path, sqlite:PATH, redis://host or redis+unix:///path.");
  }
  if (path.empty() || path.find('\0') != std::string_view::npos) {
    return fail(ErrorCode::invalid_input, "the path of the store is empty or holds a zero byte", "",
                "Write memory, a path, sqlite:PATH, redis://host or redis+unix:///path.");
  }
  return Place{Kind::sqlite, path};
}

Result<std::unique_ptr<Archive>> open_archive(std::string_view place,
                                              const ArchiveOptions& options) {
  ENFOLD_TRY(const Place parsed, parse_place(place));
  switch (parsed.kind) {
    case Kind::memory: return memory_archive(options);
    case Kind::redis: return redis_archive(parsed.name, options);
    case Kind::sqlite: break;
  }
  return sqlite_archive(std::string(parsed.name), options);
}

Result<std::unique_ptr<Counters>> open_counters(std::string_view place,
                                                const ArchiveOptions& options) {
  ENFOLD_TRY(const Place parsed, parse_place(place));
  switch (parsed.kind) {
    case Kind::memory: return memory_counters();
    case Kind::redis: return redis_counters(parsed.name, options.server_timeout);
    case Kind::sqlite: break;
  }
  return sqlite_counters(std::string(parsed.name), options.timeout);
}

}  // namespace enfold::store
