// SPDX-License-Identifier: Apache-2.0
// Rate limits: one token bucket for each principal and tool, shared by all processes that use the
// same store. A token is the permission for one call, not a token of a language model. Taking a
// token is atomic across threads, processes and replicas.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/archive.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace enfold::store {

/// A time in microseconds; a Time, in seconds, converts to it implicitly.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;

struct BucketKey {
  std::string_view principal;
  std::string_view tool;
};

/// A bucket holds `burst` tokens, starts full, and gets `per_minute` of them each minute.
struct RateLimit {
  std::uint32_t per_minute = 60;  ///< 0: no limit
  std::uint32_t burst = 10;       ///< clamped to 1…kMostBurst
};
inline constexpr std::uint32_t kMostBurst = 1'000'000;

/// Whether a call is allowed, and the state of its bucket afterwards.
struct RateDecision {
  bool allowed = true;
  std::int64_t remaining = -1;            ///< whole tokens left; -1 when there is no limit
  std::chrono::microseconds retry_in{0};  ///< if refused: time until a call is allowed; else 0
  std::chrono::microseconds reset_in{0};  ///< time until the bucket is full again
  friend bool operator==(const RateDecision&, const RateDecision&) = default;
};

/// Every member may be called from any thread.
class Counters {
 public:
  virtual ~Counters() = default;

  /// Takes one token if there is one; a refused call takes nothing. After a clock that jumps back,
  /// or a changed limit, a caller waits at most as long as an empty bucket takes to fill.
  [[nodiscard]] virtual Result<RateDecision> take(const BucketKey& key, RateLimit limit,
                                                  Instant now) = 0;
  /// Like `take`, without waiting, for counters on a server: calls `done` once, from any thread,
  /// perhaps before take_later returns. False: these counters have only `take`; `done` is not
  /// called.
  using Taken = std::function<void(Result<RateDecision> decision)>;
  [[nodiscard]] virtual bool take_later(const BucketKey& /*key*/, RateLimit /*limit*/,
                                        Instant /*now*/, const Taken& /*done*/) {
    return false;
  }
  [[nodiscard]] virtual Health health() const { return {}; }  ///< does not wait
};

/// Accepts the same places as open_archive; an archive and its counters may share one. `timeout`
/// and `server_timeout` are those of ArchiveOptions.
[[nodiscard]] Result<std::unique_ptr<Counters>> open_counters(std::string_view place,
                                                              const ArchiveOptions& options = {});

}  // namespace enfold::store
