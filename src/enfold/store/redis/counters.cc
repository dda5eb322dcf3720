// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/store/detail/backend.h"
#include "enfold/store/redis/link.h"
#include "enfold/store/redis/scripts.h"
#include "enfold/store/stores.h"

#include <fmt/format.h>
#include <future>
#include <utility>

namespace enfold::store {
namespace {

using detail::RedisLink;
using detail::Reply;
using detail::ReplyView;

class RedisCounters final : public Counters {
 public:
  RedisCounters(std::unique_ptr<RedisLink> link, detail::WallClock clock)
      : link_(std::move(link)), clock_(clock) {}

  Result<RateDecision> take(const BucketKey& key, RateLimit limit, Instant now) override {
    const auto promise = std::make_shared<std::promise<Result<RateDecision>>>();
    auto decision = promise->get_future();
    (void)take_later(key, limit, now, [promise](Result<RateDecision> taken) {
      promise->set_value(std::move(taken));
    });
    return decision.get();
  }

  bool take_later(const BucketKey& key, RateLimit limit, Instant now, const Taken& done) override {
    if (limit.per_minute == 0) {
      done(RateDecision{});
      return true;
    }
    const detail::Bucket bucket(limit);
    const auto digest = detail::digest_of_parts({key.principal, key.tool});
    const std::string name = fmt::format("enfold:{{{}}}:bucket", to_hex(digest));
    const std::string time = decimal(now.time_since_epoch().count());
    const std::string clock = decimal(clock_().time_since_epoch().count());
    link_->run(detail::kTakeScript, {name},
               {time, decimal(bucket.interval), decimal(bucket.capacity()), clock},
               [this, bucket, done](const Result<Reply>& reply) {
                 done(reply.and_then(
                     [&](const Reply& taken) { return decision_of(taken.view(), bucket); }));
               });
    return true;
  }

  Health health() const override { return link_->health(); }

 private:
  static std::string decimal(std::int64_t value) { return fmt::format("{}", value); }

  [[nodiscard]] Result<RateDecision> decision_of(ReplyView taken,
                                                 const detail::Bucket& bucket) const {
    if (taken.size() != 2) return link_->unexpected_reply();
    // The debt comes from the server, so Bucket::debt limits it: a large number would overflow.
    return bucket.answer(taken[0].number() == 1, bucket.debt(taken[1].number(), /*now=*/0));
  }

  std::unique_ptr<RedisLink> link_;
  detail::WallClock clock_;
};

}  // namespace

Result<std::unique_ptr<Counters>> detail::redis_counters(std::string_view url,
                                                         std::chrono::milliseconds timeout,
                                                         WallClock clock) {
  ENFOLD_TRY(auto link, open_link(url, timeout, {kTakeScript}));
  return std::make_unique<RedisCounters>(std::move(link), clock);
}

Result<std::unique_ptr<Counters>> redis_counters(std::string_view url,
                                                 std::chrono::milliseconds timeout) {
  return detail::redis_counters(url, timeout, detail::system_time);
}

Result<std::string> redis_secret(std::string_view url, std::string_view name,
                                 std::string_view fresh, std::chrono::milliseconds timeout) {
  ENFOLD_TRY(auto address, detail::parse_redis_url(url));
  RedisLink link(std::move(address), timeout);
  const std::string key = fmt::format("enfold:secret:{}", name);
  ENFOLD_TRY([[maybe_unused]] const Reply set, link.command({"SET", key, fresh, "NX"}));
  ENFOLD_TRY(const Reply stored, link.command({"GET", key}));
  if (stored.view().is_null()) return link.unexpected_reply();
  return std::string(stored.view().text());
}

}  // namespace enfold::store
