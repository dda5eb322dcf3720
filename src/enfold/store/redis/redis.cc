// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/redis.h"

#include "enfold/base/text.h"
#include "enfold/store/detail/backend.h"
#include "enfold/store/detail/bucket.h"
#include "enfold/store/redis/connection.h"
#include "enfold/store/redis/records.h"
#include "enfold/store/redis/scripts.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <utility>

namespace enfold::store {
namespace {

using detail::Digest;
using detail::Held;
using detail::RedisConnection;
using detail::Reply;
using detail::ReplyView;
using detail::Row;
using detail::Words;

// Redis forgets a principal by itself this long after its last entry has expired; what expires
// when is decided by the time that callers pass, and clocks differ.
constexpr std::int64_t kSlackSeconds = 3600;
constexpr std::size_t kAtOnce = 32;

struct Keys {
  explicit Keys(const std::string& tag) {
    for (const char* name : {"entry", "data", "handle", "order", "due", "sums"}) {
      names.push_back(fmt::format("enfold:{{{}}}:{}", tag, name));
    }
  }
  explicit Keys(const Digest& owner) : Keys(to_hex(owner)) {}
  [[nodiscard]] Words words() const { return {names.begin(), names.end()}; }
  [[nodiscard]] std::string_view entry() const { return names[0]; }
  [[nodiscard]] std::string_view data() const { return names[1]; }
  [[nodiscard]] std::string_view sums() const { return names[5]; }

  std::vector<std::string> names;
};

std::string decimal(std::uint64_t value) { return fmt::format("{}", value); }
std::string decimal(Time time) { return fmt::format("{}", time.time_since_epoch().count()); }

class RedisBackend final : public detail::Backend {
 public:
  RedisBackend(std::unique_ptr<RedisConnection> connection, const ArchiveOptions& options)
      : connection_(std::move(connection)), options_(options) {}

  Result<Row> place(const detail::Placement& placement) override {
    const std::scoped_lock lock(mutex_);
    Row row = placement.row;
    const std::string now = decimal(placement.now), expires = decimal(row.expires);
    const std::string hash = to_hex(row.hash), size = decimal(row.size);
    const std::string stored = decimal(row.stored), codec = decimal(std::uint64_t(row.codec));
    const std::string cap = decimal(options_.max_bytes_per_principal);
    const std::string life =
        fmt::format("{}", (row.expires - placement.now).count() + kSlackSeconds);
    const std::string meta = detail::encode_meta(row.meta);
    const std::string_view kind = row.meta.media_type;
    Words arguments{now, expires, hash, size, stored, codec, cap, life, meta, kind, placement.data};
    arguments.insert(arguments.end(), placement.handles.begin(), placement.handles.end());
    auto reply = run(detail::kPlaceScript, Keys(placement.owner), arguments);
    if (!reply) return tl::unexpected(reply.error());
    const ReplyView placed = reply->view();
    if (placed[0].text() == "full") return detail::no_free_handle();
    if (placed[0].text() != "placed") return connection_->unexpected_reply();
    row.handle = placed[1].text();
    row.created = Time(std::chrono::seconds(placed[2].number()));
    row.expires = Time(std::chrono::seconds(placed[3].number()));
    return row;
  }

  Result<std::optional<Held>> look(const Digest& owner, const detail::Reference& reference,
                                   Want want) override {
    const std::scoped_lock lock(mutex_);
    const std::string name = reference.hash ? to_hex(*reference.hash) : reference.handle;
    Words arguments{reference.hash ? "hash" : "handle", name, want == Want::content ? "1" : "0"};
    arguments.insert(arguments.end(), reference.handles.begin(), reference.handles.end());
    auto reply = run(detail::kLookScript, Keys(owner), arguments);
    if (!reply) return tl::unexpected(reply.error());
    const ReplyView found = reply->view();
    if (found.is_null()) return std::nullopt;
    auto row = detail::decode_row(found[1].text(), found[2].text());
    if (!row) return connection_->unexpected_reply();
    Held held{*std::move(row), std::nullopt};
    if (want == Want::content && !found[3].is_null()) held.data = found[3].text();
    return held;
  }

  Result<std::vector<Row>> newest(const Digest& owner, std::size_t skip,
                                  std::size_t limit) override {
    std::vector<Row> rows;
    if (limit == 0) return rows;
    const std::scoped_lock lock(mutex_);
    auto reply =
        run(detail::kNewestScript, Keys(owner), {decimal(skip), decimal(skip + limit - 1)});
    if (!reply) return tl::unexpected(reply.error());
    const ReplyView found = reply->view();
    for (std::size_t i = 0; i + 1 < found.size(); i += 2) {
      auto row = detail::decode_row(found[i].text(), found[i + 1].text());
      if (!row) return connection_->unexpected_reply();
      rows.push_back(*std::move(row));
    }
    return rows;
  }

  Result<std::uint64_t> expire(Time now) override {
    const std::scoped_lock lock(mutex_);
    const auto tags = owners();
    if (!tags) return tl::unexpected(tags.error());
    std::uint64_t removed = 0;
    for (const std::string& tag : *tags) {
      auto reply = run(detail::kExpireScript, Keys(tag), {decimal(now)});
      if (!reply) return tl::unexpected(reply.error());
      removed += static_cast<std::uint64_t>(reply->view().number());
    }
    return removed;
  }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(mutex_);
    const auto tags = owners();
    if (!tags) return tl::unexpected(tags.error());
    Statistics statistics;
    for (const std::string& tag : *tags) {
      auto reply = connection_->command({"HMGET", Keys(tag).sums(), "entries", "size", "stored"});
      if (!reply) return tl::unexpected(reply.error());
      const ReplyView sums = reply->view();
      if (sums[0].number() > 0) ++statistics.principals;
      statistics.entries += static_cast<std::uint64_t>(sums[0].number());
      statistics.bytes += static_cast<std::uint64_t>(sums[1].number());
      statistics.stored_bytes += static_cast<std::uint64_t>(sums[2].number());
    }
    auto info = connection_->pipeline({{"INFO", "persistence"}, {"INFO", "memory"}});
    if (!info) return tl::unexpected(info.error());
    warn(info->at(0).view().text(), info->at(1).view().text(), statistics.warnings);
    return statistics;
  }

  Status visit(const Visitor& visitor) override {
    const std::scoped_lock lock(mutex_);
    const auto tags = owners();
    if (!tags) return tl::unexpected(tags.error());
    for (const std::string& tag : *tags) {
      const auto owner = detail::digest_from_hex(tag);
      if (!owner) continue;
      if (auto done = visit_owner(*owner, visitor); !done) return done;
    }
    return {};
  }

 private:
  Result<Reply> run(const char* script, const Keys& keys, const Words& arguments) {
    auto reply = connection_->run(script, keys.words(), arguments);
    if (!reply || reply->view()[0].text() != "newer") return reply;
    return fail(ErrorCode::unsupported,
                fmt::format("the archive has format {}, this program knows format 2",
                            reply->view()[1].number()),
                connection_->address().shown(),
                "Use the newer program that wrote it, or another database.");
  }

  /// The tags of all principals on this server.
  Result<std::set<std::string>> owners() {
    std::set<std::string> tags;
    std::string cursor = "0";
    do {
      auto reply =
          connection_->command({"SCAN", cursor, "MATCH", "enfold:{*}:sums", "COUNT", "1000"});
      if (!reply) return tl::unexpected(reply.error());
      const ReplyView page = reply->view();
      cursor = page[0].text();
      for (std::size_t i = 0; i < page[1].size(); ++i) {
        const std::string_view key = page[1][i].text();
        const std::size_t begin = key.find('{') + 1;
        tags.emplace(key.substr(begin, key.find('}') - begin));
      }
    } while (cursor != "0" && !cursor.empty());
    return tags;
  }

  Status visit_owner(const Digest& owner, const Visitor& visitor) {
    const Keys keys(owner);
    auto listed = connection_->command({"HKEYS", keys.entry()});
    if (!listed) return tl::unexpected(listed.error());
    const ReplyView fields = listed->view();
    for (std::size_t at = 0; at < fields.size(); at += kAtOnce) {
      std::vector<Words> commands;
      for (std::size_t i = at; i < std::min(at + kAtOnce, fields.size()); ++i) {
        commands.push_back({"HGET", keys.entry(), fields[i].text()});
        commands.push_back({"HGET", keys.data(), fields[i].text()});
      }
      auto replies = connection_->pipeline(commands);
      if (!replies) return tl::unexpected(replies.error());
      for (std::size_t i = 0; i < replies->size(); i += 2) {
        if (replies->at(i).view().is_null()) continue;  // gone since it was listed
        visit_one(owner, fields[at + i / 2].text(), replies->at(i).view(),
                  replies->at(i + 1).view(), visitor);
      }
    }
    return {};
  }

  static void visit_one(const Digest& owner, std::string_view field, ReplyView entry,
                        ReplyView data, const Visitor& visitor) {
    auto row = detail::decode_row(field, entry.text());
    Held held;
    if (row) {
      held.row = *std::move(row);
      if (!data.is_null()) held.data = data.text();
    } else if (const auto digest = detail::hash_of_field(field)) {
      held.row.hash = *digest;
    }
    visitor(owner, held);
  }

  static void warn(std::string_view persistence, std::string_view memory,
                   std::vector<std::string>& warnings) {
    if (persistence.find("aof_enabled:1") == std::string_view::npos) {
      warnings.emplace_back(
          "Redis keeps no append-only file: handles of the last minutes may not survive its "
          "restart; set appendonly yes and appendfsync always");
    }
    if (memory.find("maxmemory:0\r") == std::string_view::npos &&
        memory.find("maxmemory_policy:noeviction") == std::string_view::npos) {
      warnings.emplace_back(
          "Redis may evict archived content when memory is short; set maxmemory-policy noeviction");
    }
  }

  std::mutex mutex_;
  std::unique_ptr<RedisConnection> connection_;
  ArchiveOptions options_;
};

Result<std::unique_ptr<RedisConnection>> connect(std::string_view url,
                                                 std::chrono::milliseconds patience) {
  auto address = detail::parse_redis_url(url);
  if (!address) return tl::unexpected(address.error());
  auto connection = std::make_unique<RedisConnection>(*std::move(address), patience);
  if (auto answer = connection->command({"PING"}); !answer) return tl::unexpected(answer.error());
  return connection;
}

class RedisCounters final : public Counters {
 public:
  explicit RedisCounters(std::unique_ptr<RedisConnection> connection)
      : connection_(std::move(connection)) {}

  Result<Taken> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return Taken{};
    const detail::Bucket bucket(limit);
    const Digest digest = detail::digest_of_parts({key.principal, key.tool});
    const std::string name = fmt::format("enfold:{{{}}}:bucket", to_hex(digest));
    const std::string instant = fmt::format("{}", now.time_since_epoch().count());
    const std::string interval = fmt::format("{}", bucket.interval);
    const std::string capacity = fmt::format("{}", bucket.capacity());
    const std::scoped_lock lock(mutex_);
    auto reply = connection_->run(detail::kTakeScript, {name}, {instant, interval, capacity});
    if (!reply) return tl::unexpected(reply.error());
    const ReplyView taken = reply->view();
    if (taken.size() != 2) return connection_->unexpected_reply();
    return bucket.answer(taken[0].number() == 1, taken[1].number());
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<RedisConnection> connection_;
};

}  // namespace

Result<std::unique_ptr<detail::Backend>> detail::redis_backend(std::string_view url,
                                                               const ArchiveOptions& options) {
  auto connection = connect(url, options.patience);
  if (!connection) return tl::unexpected(connection.error());
  return std::make_unique<RedisBackend>(*std::move(connection), options);
}

Result<std::unique_ptr<Archive>> redis_archive(std::string_view url,
                                               const ArchiveOptions& options) {
  auto backend = detail::redis_backend(url, options);
  if (!backend) return tl::unexpected(backend.error());
  return detail::content_archive(*std::move(backend), options);
}

Result<std::unique_ptr<Counters>> redis_counters(std::string_view url,
                                                 std::chrono::milliseconds patience) {
  auto connection = connect(url, patience);
  if (!connection) return tl::unexpected(connection.error());
  return std::make_unique<RedisCounters>(*std::move(connection));
}

Result<std::string> redis_secret(std::string_view url, std::string_view name,
                                 std::string_view fresh, std::chrono::milliseconds patience) {
  auto connection = connect(url, patience);
  if (!connection) return tl::unexpected(connection.error());
  const std::string key = fmt::format("enfold:secret:{}", name);
  if (auto set = (*connection)->command({"SET", key, fresh, "NX"}); !set) {
    return tl::unexpected(set.error());
  }
  auto kept = (*connection)->command({"GET", key});
  if (!kept) return tl::unexpected(kept.error());
  if (kept->view().is_null()) return (*connection)->unexpected_reply();
  return std::string(kept->view().text());
}

}  // namespace enfold::store
