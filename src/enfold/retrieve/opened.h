// SPDX-License-Identifier: Apache-2.0
// An archived answer, parsed for queries.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/limits.h"
#include "enfold/retrieve/tables/tables.h"

#include <atomic>
#include <memory>
#include <string_view>

namespace enfold::retrieve {

/// May be used by several threads at the same time.
class OpenedAnswer {
 public:
  explicit OpenedAnswer(answer::ArchivedAnswer answer) : answer_(std::move(answer)) {}

  [[nodiscard]] const answer::ArchivedAnswer& answer() const { return answer_; }
  /// The tables of the payload, which the first call makes.
  [[nodiscard]] std::shared_ptr<const Tables> tables() const;

 private:
  answer::ArchivedAnswer answer_;
  mutable std::atomic<std::shared_ptr<const Tables>> tables_;  ///< nullptr: not made yet
};
using OpenedAnswerPtr = std::shared_ptr<const OpenedAnswer>;

/// Parses an archived answer. `media_type`: says how to read the bytes (answer::read_as); empty:
/// JSON in any contract, or text if the bytes are no JSON.
[[nodiscard]] Result<OpenedAnswerPtr> open_answer(std::string_view bytes,
                                                  std::string_view media_type,
                                                  const Limits& limits = {});

}  // namespace enfold::retrieve
