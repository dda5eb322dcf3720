// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/store/detail/backend.h"
#include "enfold/store/redis/connection.h"
#include "enfold/store/redis/records.h"
#include "enfold/store/redis/scripts.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace enfold::store {
namespace {

using detail::Digest;
using detail::Item;
using detail::RedisConnection;
using detail::Reply;
using detail::ReplyView;
using detail::Row;
using detail::Words;

// Redis drops the keys of a principal by itself this long after its last entry has expired.
constexpr std::int64_t kSlackSeconds = 3600;
constexpr std::size_t kItemsPerRoundTrip = 32;
constexpr std::size_t kSumsPerRoundTrip = 256;
// Pause between two steps of a clean-up, in which the server handles other clients.
constexpr auto kPause = std::chrono::milliseconds(1);
// Statistics read one key for each principal, so with more principals than this they are cached.
constexpr std::size_t kManyPrincipals = 1000;
constexpr auto kStatisticsInterval = std::chrono::seconds(10);

// The names of the six Redis keys of one principal. `tag`: the digest of the principal in hex,
// which is the hash tag of the keys.
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
  /// Puts and reads use `connection`; longer operations use `second`, so that puts and reads do not
  /// wait.
  RedisBackend(std::unique_ptr<RedisConnection> connection, std::unique_ptr<RedisConnection> second,
               const ArchiveOptions& options)
      : connection_(std::move(connection)), maintenance_(std::move(second)), options_(options) {}

  Time store_time(Time now) override {
    return now + std::chrono::round<std::chrono::seconds>(connection_->clock_offset());
  }

  Result<Row> put(const detail::PutRequest& request) override {
    const std::scoped_lock lock(mutex_);
    Row row = request.row;
    const std::string now = decimal(request.now), expires = decimal(row.expires);
    const std::string hash = to_hex(row.hash), size = decimal(row.size);
    const std::string stored = decimal(row.stored), codec = decimal(std::uint64_t(row.codec));
    const std::string cap = decimal(options_.max_bytes_per_principal);
    const std::string life = fmt::format("{}", (row.expires - request.now).count() + kSlackSeconds);
    const std::string meta = detail::encode_meta(row.meta);
    const std::string expired = decimal(detail::kExpiredPerPut);
    Words arguments{now,          expires, hash, size, stored,
                    codec,        cap,     life, meta, row.meta.media_type,
                    request.data, expired};
    arguments.insert(arguments.end(), request.handles.begin(), request.handles.end());
    ENFOLD_TRY(const Reply reply,
               run(*connection_, detail::kPutScript, Keys(request.owner), arguments));
    const ReplyView done = reply.view();
    if (done[0].text() == "full") return detail::no_free_handle();
    if (done[0].text() != "done") return connection_->unexpected_reply();
    row.handle = done[1].text();
    row.created = Time(std::chrono::seconds(done[2].number()));
    row.expires = Time(std::chrono::seconds(done[3].number()));
    return row;
  }

  Result<std::optional<Item>> find(const Digest& owner, const detail::Reference& reference,
                                   Want want) override {
    const std::scoped_lock lock(mutex_);
    const std::string name = reference.hash ? to_hex(*reference.hash) : reference.handle;
    Words arguments{reference.hash ? "hash" : "handle", name, want == Want::content ? "1" : "0"};
    arguments.insert(arguments.end(), reference.handles.begin(), reference.handles.end());
    ENFOLD_TRY(const Reply reply, run(*connection_, detail::kFindScript, Keys(owner), arguments));
    const ReplyView found = reply.view();
    if (found.is_null()) return std::nullopt;
    auto row = detail::decode_row(found[1].text(), found[2].text());
    if (!row) {
      return tl::unexpected(
          detail::damage(reference.hash ? detail::hash_name(*reference.hash) : reference.handle,
                         "its record cannot be read"));
    }
    Item item{*std::move(row), std::nullopt};
    if (want == Want::content && !found[3].is_null()) item.data = found[3].text();
    return item;
  }

  Result<std::vector<Row>> list(const Digest& owner, std::size_t skip, std::size_t limit) override {
    std::vector<Row> rows;
    if (limit == 0) return rows;
    const std::scoped_lock lock(mutex_);
    ENFOLD_TRY(const Reply reply, run(*connection_, detail::kListScript, Keys(owner),
                                      {decimal(skip), decimal(skip + limit - 1)}));
    const ReplyView found = reply.view();
    for (std::size_t i = 0; i + 1 < found.size(); i += 2) {
      auto row = detail::decode_row(found[i].text(), found[i + 1].text());
      if (!row) row.emplace().expires = Time::min();
      rows.push_back(*std::move(row));
    }
    return rows;
  }

  // A script blocks the server while it runs, so each removes few entries.
  Result<std::uint64_t> expire(Time now) override {
    const std::scoped_lock lock(maintenance_mutex_);
    ENFOLD_TRY(const auto tags, owners());
    const std::string time = decimal(now), most = decimal(detail::kExpiredPerStep);
    std::uint64_t removed = 0;
    for (const std::string& tag : tags) {
      for (bool done = false; !done;) {
        ENFOLD_TRY(const Reply reply,
                   run(*maintenance_, detail::kExpireScript, Keys(tag), {time, most}));
        const auto count = static_cast<std::uint64_t>(reply.view().number());
        removed += count;
        done = count < detail::kExpiredPerStep;
        if (!done) std::this_thread::sleep_for(kPause);
      }
    }
    return removed;
  }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(maintenance_mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (known_.principals > kManyPrincipals && now - known_since_ < kStatisticsInterval) {
      return known_;
    }
    ENFOLD_TRY(Statistics statistics, sum_up());
    ENFOLD_TRY(const auto info,
               maintenance_->pipeline({{"INFO", "persistence"}, {"INFO", "memory"}}));
    warn(info.at(0).view().text(), info.at(1).view().text(), statistics.warnings);
    known_ = statistics;
    known_since_ = now;
    return statistics;
  }

  Status for_each(const Callback& callback) override {
    const std::scoped_lock lock(maintenance_mutex_);
    ENFOLD_TRY(const auto tags, owners());
    for (const std::string& tag : tags) {
      const auto owner = detail::digest_from_hex(tag);
      if (!owner) continue;
      ENFOLD_TRY(for_each_of(*owner, callback));
    }
    return {};
  }

 private:
  static Result<Reply> run(RedisConnection& connection, const char* script, const Keys& keys,
                           const Words& arguments) {
    ENFOLD_TRY(Reply reply, connection.run(script, keys.words(), arguments));
    if (reply.view()[0].text() != "newer") return reply;
    return fail(ErrorCode::unsupported,
                fmt::format("the archive has format {}, this program knows format 2",
                            reply.view()[1].number()),
                connection.address().shown(),
                "Use the newer program that wrote it, or another database.");
  }

  /// The tags of all principals in this database.
  Result<std::set<std::string>> owners() {
    std::set<std::string> tags;
    std::string cursor = "0";
    do {
      ENFOLD_TRY(const Reply reply, maintenance_->command({"SCAN", cursor, "MATCH",
                                                           "enfold:{*}:sums", "COUNT", "1000"}));
      const ReplyView page = reply.view();
      cursor = page[0].text();
      for (std::size_t i = 0; i < page[1].size(); ++i) {
        const std::string_view key = page[1][i].text();
        const std::size_t begin = key.find('{') + 1;
        tags.emplace(key.substr(begin, key.find('}') - begin));
      }
    } while (cursor != "0" && !cursor.empty());
    return tags;
  }

  Result<Statistics> sum_up() {
    ENFOLD_TRY(const auto tags, owners());
    Statistics statistics;
    for (auto tag = tags.begin(); tag != tags.end();) {
      std::vector<Keys> keys;
      for (; tag != tags.end() && keys.size() < kSumsPerRoundTrip; ++tag) keys.emplace_back(*tag);
      std::vector<Words> commands;
      for (const Keys& one : keys) {
        commands.push_back({"HMGET", one.sums(), "entries", "size", "stored"});
      }
      ENFOLD_TRY(const auto replies, maintenance_->pipeline(commands));
      for (const Reply& reply : replies) {
        const ReplyView sums = reply.view();
        if (sums[0].number() > 0) ++statistics.principals;
        statistics.entries += static_cast<std::uint64_t>(sums[0].number());
        statistics.bytes += static_cast<std::uint64_t>(sums[1].number());
        statistics.stored_bytes += static_cast<std::uint64_t>(sums[2].number());
      }
    }
    return statistics;
  }

  Status for_each_of(const Digest& owner, const Callback& callback) {
    const Keys keys(owner);
    ENFOLD_TRY(const Reply listed, maintenance_->command({"HKEYS", keys.entry()}));
    const ReplyView fields = listed.view();
    for (std::size_t at = 0; at < fields.size(); at += kItemsPerRoundTrip) {
      std::vector<Words> commands;
      for (std::size_t i = at; i < std::min(at + kItemsPerRoundTrip, fields.size()); ++i) {
        commands.push_back({"HGET", keys.entry(), fields[i].text()});
        commands.push_back({"HGET", keys.data(), fields[i].text()});
      }
      ENFOLD_TRY(const auto replies, maintenance_->pipeline(commands));
      for (std::size_t i = 0; i < replies.size(); i += 2) {
        const ReplyView entry = replies.at(i).view();
        if (entry.is_null()) continue;  // removed since it was listed
        callback(owner, item_of(fields[at + i / 2].text(), entry, replies.at(i + 1).view()));
      }
    }
    return {};
  }

  // An entry that cannot be read gives an item without data, which counts as damaged.
  static Item item_of(std::string_view field, ReplyView entry, ReplyView data) {
    Item item;
    if (auto row = detail::decode_row(field, entry.text())) {
      item.row = *std::move(row);
      if (!data.is_null()) item.data = data.text();
    } else if (const auto digest = detail::hash_of_field(field)) {
      item.row.hash = *digest;
    }
    return item;
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

  std::mutex mutex_;  ///< protects connection_, except clock_offset()
  std::unique_ptr<RedisConnection> connection_;
  std::mutex maintenance_mutex_;  ///< protects the next three members
  std::unique_ptr<RedisConnection> maintenance_;
  Statistics known_;  ///< the last statistics, see kManyPrincipals
  std::chrono::steady_clock::time_point known_since_{};

  ArchiveOptions options_;
};

Result<std::unique_ptr<RedisConnection>> connect(std::string_view url,
                                                 std::chrono::milliseconds timeout,
                                                 detail::WallClock clock = detail::system_time) {
  ENFOLD_TRY(auto address, detail::parse_redis_url(url));
  auto connection = std::make_unique<RedisConnection>(std::move(address), timeout, clock);
  ENFOLD_TRY([[maybe_unused]] const Reply answer, connection->command({"PING"}));
  return connection;
}

class RedisCounters final : public Counters {
 public:
  explicit RedisCounters(std::unique_ptr<RedisConnection> connection)
      : connection_(std::move(connection)) {}

  Result<RateDecision> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return RateDecision{};
    const detail::Bucket bucket(limit);
    const Digest digest = detail::digest_of_parts({key.principal, key.tool});
    const std::string name = fmt::format("enfold:{{{}}}:bucket", to_hex(digest));
    const std::scoped_lock lock(mutex_);
    const std::string instant =
        fmt::format("{}", (now + connection_->clock_offset()).time_since_epoch().count());
    const std::string interval = fmt::format("{}", bucket.interval);
    const std::string capacity = fmt::format("{}", bucket.capacity());
    ENFOLD_TRY(const Reply reply,
               connection_->run(detail::kTakeScript, {name}, {instant, interval, capacity}));
    const ReplyView taken = reply.view();
    if (taken.size() != 2) return connection_->unexpected_reply();
    return bucket.answer(taken[0].number() == 1, taken[1].number());
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<RedisConnection> connection_;
};

}  // namespace

Result<std::unique_ptr<detail::Backend>> detail::redis_backend(std::string_view url,
                                                               const ArchiveOptions& options,
                                                               WallClock clock) {
  ENFOLD_TRY(auto connection, connect(url, options.timeout, clock));
  auto second = std::make_unique<RedisConnection>(connection->address(), options.timeout, clock);
  return std::make_unique<RedisBackend>(std::move(connection), std::move(second), options);
}

Result<std::unique_ptr<Archive>> redis_archive(std::string_view url,
                                               const ArchiveOptions& options) {
  ENFOLD_TRY(auto backend, detail::redis_backend(url, options));
  return detail::content_archive(std::move(backend), options);
}

Result<std::unique_ptr<Counters>> redis_counters(std::string_view url,
                                                 std::chrono::milliseconds timeout) {
  ENFOLD_TRY(auto connection, connect(url, timeout));
  return std::make_unique<RedisCounters>(std::move(connection));
}

Result<std::string> redis_secret(std::string_view url, std::string_view name,
                                 std::string_view fresh, std::chrono::milliseconds timeout) {
  ENFOLD_TRY(auto connection, connect(url, timeout));
  const std::string key = fmt::format("enfold:secret:{}", name);
  ENFOLD_TRY([[maybe_unused]] const Reply set, connection->command({"SET", key, fresh, "NX"}));
  ENFOLD_TRY(const Reply stored, connection->command({"GET", key}));
  if (stored.view().is_null()) return connection->unexpected_reply();
  return std::string(stored.view().text());
}

}  // namespace enfold::store
