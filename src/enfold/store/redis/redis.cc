// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/store/detail/backend.h"
#include "enfold/store/redis/link.h"
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
using detail::RedisLink;
using detail::Reply;
using detail::ReplyView;
using detail::Row;
using detail::Words;

// Redis drops the keys of a principal by itself this long after its last entry has expired.
constexpr std::int64_t kSlackSeconds = 3600;
constexpr std::size_t kItemsPerRoundTrip = 32;  // entries with their data
constexpr std::size_t kSumsPerRoundTrip = 256;  // keys with the sums of a principal
// Pause between two steps of a clean-up, in which the server handles other clients.
constexpr auto kPause = std::chrono::milliseconds(1);
// Statistics read one key for each principal, so with more principals than this they are cached.
constexpr std::size_t kManyPrincipals = 1000;
constexpr auto kStatisticsInterval = std::chrono::seconds(10);

const std::vector<const char*> kScripts{detail::kPutScript, detail::kFindScript,
                                        detail::kListScript, detail::kExpireScript};

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

/// scripts.h lists the arguments and the items of the reply of each script.
class RedisBackend final : public detail::Backend {
 public:
  /// Puts and reads use `link`; longer operations use a second link, so that puts and reads do not
  /// wait for them.
  RedisBackend(std::unique_ptr<RedisLink> link, const ArchiveOptions& options,
               detail::WallClock clock)
      : link_(std::move(link)),
        maintenance_(link_->address(), options.server_timeout, kScripts),
        options_(options),
        clock_(clock) {}

  Result<Row> put(const detail::PutRequest& request) override {
    Row row = request.row;
    const std::string now = decimal(request.now), expires = decimal(row.expires);
    const std::string hash = to_hex(row.hash), size = decimal(row.size);
    const std::string stored = decimal(row.stored), codec = decimal(std::uint64_t(row.codec));
    const std::string cap = decimal(options_.max_bytes_per_principal);
    const std::string life = fmt::format("{}", (row.expires - request.now).count() + kSlackSeconds);
    const std::string meta = detail::encode_meta(row.meta);
    const std::string expired = decimal(detail::kExpiredPerPut);
    const std::string clock = clock_microseconds(),
                      entries = decimal(options_.max_entries_per_principal);
    Words arguments{now,          expires, hash,  size,   stored,
                    codec,        cap,     life,  meta,   row.meta.media_type,
                    request.data, expired, clock, entries};
    arguments.insert(arguments.end(), request.handles.begin(), request.handles.end());
    ENFOLD_TRY(const Reply reply, run(*link_, detail::kPutScript, Keys(request.owner), arguments));
    const ReplyView done = reply.view();
    if (done[0].text() == "full") return detail::no_free_handle();
    if (done[0].text() != "done") return link_->unexpected_reply();
    row.handle = done[1].text();
    row.created = time_of(done[2]);
    row.expires = time_of(done[3]);
    return row;
  }

  Result<std::optional<Item>> find(const Digest& owner, const detail::Reference& reference,
                                   Want want, Time now) override {
    const std::string name = reference.hash ? to_hex(*reference.hash) : reference.handle;
    const std::string time = decimal(now), clock = clock_microseconds();
    Words arguments{reference.hash ? "hash" : "handle", name, want == Want::content ? "1" : "0",
                    time, clock};
    arguments.insert(arguments.end(), reference.handles.begin(), reference.handles.end());
    ENFOLD_TRY(const Reply reply, run(*link_, detail::kFindScript, Keys(owner), arguments));
    const ReplyView found = reply.view();
    if (found.is_null()) return std::nullopt;
    auto row = detail::decode_row(found[1].text(), found[2].text());
    if (!row) {
      return tl::unexpected(
          detail::damage(reference.hash ? detail::hash_name(*reference.hash) : reference.handle,
                         "its record cannot be read"));
    }
    if (row->expires <= time_of(found[4])) return std::nullopt;
    Item item{*std::move(row), std::nullopt};
    if (want == Want::content && !found[3].is_null()) item.data = found[3].text();
    return item;
  }

  Result<Page> list(const Digest& owner, std::size_t skip, std::size_t limit, Time now) override {
    Page page;
    if (limit == 0) return page;
    ENFOLD_TRY(const Reply reply,
               run(*link_, detail::kListScript, Keys(owner),
                   {decimal(skip), decimal(skip + limit - 1), decimal(now), clock_microseconds()}));
    const ReplyView found = reply.view();
    const Time time = time_of(found[1]);
    for (std::size_t i = 2; i + 1 < found.size(); i += 2) {
      auto row = detail::decode_row(found[i].text(), found[i + 1].text());
      if (row && row->expires > time) page.rows.push_back(*std::move(row));
    }
    page.is_last = found.size() / 2 <= limit;  // a row is two items, and two come before the rows
    return page;
  }

  // A script blocks the server while it runs, so each script removes few entries.
  Result<std::uint64_t> expire(Time now) override {
    const std::scoped_lock lock(maintenance_mutex_);
    ENFOLD_TRY(const auto tags, owners());
    const std::string time = decimal(now), most = decimal(detail::kExpiredPerStep);
    const std::string clock = clock_microseconds();
    std::uint64_t removed = 0;
    for (const std::string& tag : tags) {
      for (bool done = false; !done;) {
        ENFOLD_TRY(const Reply reply,
                   run(maintenance_, detail::kExpireScript, Keys(tag), {time, most, clock}));
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
               maintenance_.pipeline({{"INFO", "persistence"}, {"INFO", "memory"}}));
    statistics.warnings =
        warnings_of(fmt::format("{}{}", info.at(0).view().text(), info.at(1).view().text()));
    known_ = statistics;
    known_since_ = now;
    return statistics;
  }

  Health health() const override {
    Health health = link_->health();
    health.warnings = warnings_of(link_->info());
    return health;
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
  static Time time_of(ReplyView seconds) { return Time(std::chrono::seconds(seconds.number())); }

  [[nodiscard]] std::string clock_microseconds() const {
    return fmt::format("{}", clock_().time_since_epoch().count());
  }

  /// Runs a script of the archive; an error if a newer program has written the archive.
  static Result<Reply> run(RedisLink& link, const char* script, const Keys& keys,
                           const Words& arguments) {
    ENFOLD_TRY(Reply reply, link.run(script, keys.words(), arguments));
    if (reply.view()[0].text() != "newer") return reply;
    return fail(ErrorCode::unsupported,
                fmt::format("the archive has format {}, this program knows format {}",
                            reply.view()[1].number(), detail::kNewestFormat),
                link.address().shown(),
                "Use the newer program that wrote it, or another database.");
  }

  /// The tags of all principals in this database.
  Result<std::set<std::string>> owners() {
    std::set<std::string> tags;
    std::string cursor = "0";
    do {
      ENFOLD_TRY(const Reply reply, maintenance_.command({"SCAN", cursor, "MATCH",
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

  /// Adds up the sums of all principals; without warnings.
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
      ENFOLD_TRY(const auto replies, maintenance_.pipeline(commands));
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
    ENFOLD_TRY(const Reply listed, maintenance_.command({"HKEYS", keys.entry()}));
    const ReplyView fields = listed.view();
    for (std::size_t at = 0; at < fields.size(); at += kItemsPerRoundTrip) {
      std::vector<Words> commands;
      for (std::size_t i = at; i < std::min(at + kItemsPerRoundTrip, fields.size()); ++i) {
        commands.push_back({"HGET", keys.entry(), fields[i].text()});
        commands.push_back({"HGET", keys.data(), fields[i].text()});
      }
      ENFOLD_TRY(const auto replies, maintenance_.pipeline(commands));
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
    } else if (const auto digest = detail::digest_of_field(field)) {
      item.row.hash = *digest;
    }
    return item;
  }

  // `info`: the reply to INFO; empty: the server refused it.
  static std::vector<std::string> warnings_of(std::string_view info) {
    const auto says = [info](std::string_view setting) {
      return info.find(setting) != std::string_view::npos;
    };
    std::vector<std::string> warnings;
    if (says("aof_enabled:0")) {
      warnings.emplace_back(
          "Redis keeps no append-only file: handles of the last minutes may not survive its "
          "restart; set appendonly yes and appendfsync always");
    }
    if (says("maxmemory_policy:") && !says("maxmemory:0\r") &&
        !says("maxmemory_policy:noeviction")) {
      warnings.emplace_back(
          "Redis may evict archived content when memory is short; set maxmemory-policy noeviction");
    }
    return warnings;
  }

  std::unique_ptr<RedisLink> link_;
  std::mutex maintenance_mutex_;  ///< one operation at a time; protects known_ and known_since_
  RedisLink maintenance_;         ///< for operations that take longer
  Statistics known_;              ///< the last statistics, see kManyPrincipals
  std::chrono::steady_clock::time_point known_since_{};

  ArchiveOptions options_;
  detail::WallClock clock_;
};

}  // namespace

Result<std::unique_ptr<detail::Backend>> detail::redis_backend(std::string_view url,
                                                               const ArchiveOptions& options,
                                                               WallClock clock) {
  ENFOLD_TRY(auto link, open_link(url, options.server_timeout, kScripts));
  return std::make_unique<RedisBackend>(std::move(link), options, clock);
}

Result<std::unique_ptr<Archive>> redis_archive(std::string_view url,
                                               const ArchiveOptions& options) {
  ENFOLD_TRY(auto backend, detail::redis_backend(url, options));
  return detail::content_archive(std::move(backend), options);
}

}  // namespace enfold::store
