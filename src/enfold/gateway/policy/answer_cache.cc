// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/answer_cache.h"

#include "enfold/base/hash.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// Each part is preceded by its length, so that different keys never give the same text.
std::string name_of(const CacheKey& key) {
  std::string text = fmt::format("{}:", key.upstream);
  for (const std::string_view part : {key.principal, key.tool, key.arguments}) {
    text += fmt::format("{}:{}", part.size(), part);
  }
  return sha256_name(text);
}

}  // namespace

std::optional<AnswerCache::CachedResult> AnswerCache::find(const CacheKey& key, Time at_most,
                                                           Time now) {
  const auto found = index_.find(name_of(key));
  if (found == index_.end() || now - found->second->at > at_most) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return CachedResult{found->second->result, now - found->second->at};
}

void AnswerCache::put(const CacheKey& key, json::Value result, Time now) {
  std::string name = name_of(key);
  if (const auto old = index_.find(name); old != index_.end()) drop(old->second);
  const std::size_t size = result->raw().size();
  if (size > limits_.bytes) return;
  bytes_ += size;
  entries_.push_front({name, std::move(result), now});
  index_[std::move(name)] = entries_.begin();
  while (bytes_ > limits_.bytes || index_.size() > limits_.entries) drop(std::prev(entries_.end()));
}

void AnswerCache::drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->result->raw().size();
  index_.erase(entry->name);
  entries_.erase(entry);
}

}  // namespace enfold::gateway
