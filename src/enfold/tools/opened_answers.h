// SPDX-License-Identifier: Apache-2.0
// Archived answers that were queried last: the next query of one of them need not read it from the
// archive and parse it again.
#pragma once

#include "enfold/retrieve/opened.h"
#include "enfold/store/archive.h"

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

namespace enfold::tools {

/// The answers that were queried last, parsed, up to a sum of archived bytes. A larger answer is
/// not kept. May be used by several threads at the same time.
class OpenedAnswers {
 public:
  explicit OpenedAnswers(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The key of an archived answer: the hash of its bytes, a space and their media type.
  [[nodiscard]] static std::string key_of(const store::Entry& entry) {
    return entry.hash + ' ' + entry.meta.media_type;
  }
  /// nullptr: it is not kept.
  [[nodiscard]] retrieve::OpenedAnswerPtr find(std::string_view key);
  /// Keeps an answer; those that were queried longest ago make room. `bytes`: its archived size.
  void add(std::string key, retrieve::OpenedAnswerPtr answer, std::size_t bytes);
  /// Drops the answers that were neither added nor found since the previous call.
  void drop_unused();

 private:
  struct Kept {
    std::string key;
    retrieve::OpenedAnswerPtr answer;
    std::size_t bytes;
    bool is_used = true;  ///< added or found since the last drop_unused()
  };
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< the answer that was queried last comes first
};

}  // namespace enfold::tools
