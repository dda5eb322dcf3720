// SPDX-License-Identifier: Apache-2.0
// The three stores behind one fixture: a test written with it runs against each of them.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"
#include "enfold/store/detail/backend.h"
#include "tests/store/redis_server.h"
#include "tests/store/temporary_folder.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace enfold::store::testing {

enum class Kind { memory, sqlite, redis };

inline std::string name_of(Kind kind) {
  return kind == Kind::memory ? "memory" : kind == Kind::sqlite ? "sqlite" : "redis";
}

[[nodiscard]] constexpr Time at(std::int64_t seconds) {
  return Time(std::chrono::seconds(seconds));
}

/// For tests that are not about time: a busy machine does not make a server look silent.
inline constexpr ArchiveOptions kPatient{.server_timeout = std::chrono::seconds(20)};

/// An empty store of one kind.
class Store {
 public:
  explicit Store(Kind kind) : kind_(kind) {
    if (kind == Kind::redis) {
      redis_ = shared_redis();
      if (redis_ != nullptr) redis_->tell({"FLUSHALL"});
    }
  }
  [[nodiscard]] Kind kind() const { return kind_; }
  /// Whether two openings see the same content.
  [[nodiscard]] bool is_shared() const { return kind_ != Kind::memory; }
  [[nodiscard]] bool is_there() const { return kind_ != Kind::redis || redis_ != nullptr; }
  [[nodiscard]] std::string file() const { return folder_.file("archive.db"); }
  [[nodiscard]] RedisServer* redis() const { return redis_; }
  [[nodiscard]] std::string place() const {
    if (kind_ == Kind::memory) return "memory:";
    return kind_ == Kind::sqlite ? file() : redis_->url();
  }
  [[nodiscard]] std::unique_ptr<Archive> open(ArchiveOptions options = {}) const {
    options.server_timeout = kPatient.server_timeout;
    auto archive = open_archive(place(), options);
    EXPECT_TRUE(archive) << (archive ? "" : archive.error().message);
    return archive ? *std::move(archive) : nullptr;
  }
  [[nodiscard]] std::unique_ptr<Archive> open_with(detail::HandleRule rule) const {
    if (kind_ == Kind::memory) return detail::content_archive(detail::memory_backend({}), {}, rule);
    auto backend = kind_ == Kind::sqlite ? detail::sqlite_backend(file(), {})
                                         : detail::redis_backend(redis_->url(), kPatient);
    return detail::content_archive(*std::move(backend), {}, rule);
  }
  [[nodiscard]] std::unique_ptr<Counters> open_counters() const {
    auto counters = store::open_counters(place(), kPatient);
    EXPECT_TRUE(counters) << (counters ? "" : counters.error().message);
    return counters ? *std::move(counters) : nullptr;
  }

 private:
  Kind kind_;
  TemporaryFolder folder_{TemporaryFolder::On::memory};
  RedisServer* redis_ = nullptr;
};

class EveryStore : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!store.is_there()) FAIL() << "no Redis";
  }
  Store store{GetParam()};
};

inline std::string kind_of_test(const ::testing::TestParamInfo<Kind>& info) {
  return name_of(info.param);
}
inline const auto kEveryKind = ::testing::Values(Kind::memory, Kind::sqlite, Kind::redis);

}  // namespace enfold::store::testing
