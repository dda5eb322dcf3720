// SPDX-License-Identifier: Apache-2.0
// A cache of tool results as upstreams returned them, per principal. In memory and bounded; evicts
// the least recently used entry. Reads no clock: callers pass the time.
#pragma once

#include "enfold/json/document.h"

#include <chrono>
#include <list>
#include <unordered_map>

namespace enfold::gateway {

struct CacheKey {
  std::string_view principal;
  std::uint64_t upstream;  ///< Upstream::number
  std::string_view tool;
  std::string_view arguments;  ///< JSON, as the client wrote it
};

class AnswerCache {
 public:
  using Time = std::chrono::microseconds;
  struct Limits {
    std::size_t entries = 10'000;
    std::size_t bytes = std::size_t{64} << 20;  ///< of all results; a larger one is not stored
  };
  explicit AnswerCache(Limits limits) : limits_(limits) {}

  struct CachedResult {
    json::Value result;
    Time age;
  };
  /// The cached result; nullopt: there is none, or it is older than `max_age`.
  [[nodiscard]] std::optional<CachedResult> find(const CacheKey& key, Time max_age, Time now);
  /// Replaces the result of an equal key.
  void put(const CacheKey& key, json::Value result, Time now);

  [[nodiscard]] std::size_t entries() const { return index_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string key_hash;
    json::Value result;
    Time stored_at;
  };
  void remove(std::list<Entry>::iterator entry);

  Limits limits_;
  std::list<Entry> entries_;                                           ///< most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;  ///< by key_hash
  std::size_t bytes_ = 0;                                              ///< of all results
};

}  // namespace enfold::gateway
