// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/answer_cache.h"

#include "enfold/base/hash.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// Each part is preceded by its length, so that different keys never give the same text.
std::string hash_of(const CacheKey& key) {
  std::string text = fmt::format("{}:", key.upstream);
  for (const std::string_view part : {key.principal, key.tool, key.arguments}) {
    text += fmt::format("{}:{}", part.size(), part);
  }
  return sha256_name(text);
}

}  // namespace

std::optional<AnswerCache::CachedResult> AnswerCache::find(const CacheKey& key, Time max_age,
                                                           Time now) {
  const auto found = index_.find(hash_of(key));
  if (found == index_.end() || now - found->second->stored_at > max_age) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return CachedResult{found->second->result, now - found->second->stored_at};
}

void AnswerCache::put(const CacheKey& key, json::Value result, Time now) {
  std::string hash = hash_of(key);
  if (const auto old = index_.find(hash); old != index_.end()) remove(old->second);
  const std::size_t size = result->raw().size();
  if (size > limits_.bytes) return;
  bytes_ += size;
  entries_.push_front({hash, std::move(result), now});
  index_[std::move(hash)] = entries_.begin();
  while (bytes_ > limits_.bytes || index_.size() > limits_.entries)
    remove(std::prev(entries_.end()));
}

void AnswerCache::remove(std::list<Entry>::iterator entry) {
  bytes_ -= entry->result->raw().size();
  index_.erase(entry->key_hash);
  entries_.erase(entry);
}

}  // namespace enfold::gateway
