// SPDX-License-Identifier: Apache-2.0
// Archived answers that were asked last: the next question about one of them need not read it from
// the archive and parse it again.
#pragma once

#include "enfold/retrieve/opened.h"

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

namespace enfold::tools {

/// The answers that were asked last, up to a sum of bytes. A larger answer is not kept. May be used
/// by several threads at the same time.
class OpenedAnswers {
 public:
  explicit OpenedAnswers(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// nullptr: it is not kept. `key`: the hash of its bytes and how they are read.
  [[nodiscard]] retrieve::OpenedAnswerPtr find(std::string_view key);
  void add(std::string key, retrieve::OpenedAnswerPtr answer, std::size_t bytes);

 private:
  struct Kept {
    std::string key;
    retrieve::OpenedAnswerPtr answer;
    std::size_t bytes;
  };
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< the one that was asked last is the first
};

}  // namespace enfold::tools
