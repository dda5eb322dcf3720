// SPDX-License-Identifier: Apache-2.0
// Archived answers, parsed for queries, and those of them that were asked last: the next question
// about one of these need not parse it again.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/limits.h"
#include "enfold/retrieve/tables/tables.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace enfold::retrieve {

/// May be used by several threads at the same time.
class OpenedAnswer {
 public:
  explicit OpenedAnswer(answer::ArchivedAnswer answer) : answer_(std::move(answer)) {}

  [[nodiscard]] const answer::ArchivedAnswer& answer() const { return answer_; }
  /// The tables of the payload, made by the first call.
  [[nodiscard]] const Tables& tables() const;

 private:
  answer::ArchivedAnswer answer_;
  mutable std::once_flag is_made_;
  mutable Tables tables_;
};
using OpenedAnswerPtr = std::shared_ptr<const OpenedAnswer>;

/// `media_type`: how to read the bytes (answer::read_as); empty: guess.
[[nodiscard]] Result<OpenedAnswerPtr> open_answer(std::string_view bytes,
                                                  std::string_view media_type,
                                                  const Limits& limits = {});

/// The answers that were asked last, up to a sum of bytes. A larger answer is not kept. May be used
/// by several threads at the same time.
class OpenedAnswers {
 public:
  explicit OpenedAnswers(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// nullptr: it is not kept. `key`: the hash of its bytes and how they are read.
  [[nodiscard]] OpenedAnswerPtr find(std::string_view key);
  void add(std::string key, OpenedAnswerPtr answer, std::size_t bytes);

 private:
  struct Kept {
    std::string key;
    OpenedAnswerPtr answer;
    std::size_t bytes;
  };
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< the one that was asked last is the first
};

}  // namespace enfold::retrieve
