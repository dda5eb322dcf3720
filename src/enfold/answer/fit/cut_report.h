// SPDX-License-Identifier: Apache-2.0
// What a cut answer says about its cut: the level, the places that are missing, the way back to the
// original and the warnings. The fewer tokens there are, the fewer words it uses.
#pragma once

#include "enfold/answer/fit/keep_blocks.h"
#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/stored/places.h"

#include <string_view>

namespace enfold::answer {

/// How much the report says.
enum class Words { all, few, fewest, none, no_handle };

/// An answer on its way into its budget.
struct Cut {
  ReadAnswer answer;
  const Receipt& receipt;  ///< without a handle: the original is not kept
  std::string_view limit;  ///< what the whole answer exceeds
  const FitSettings& settings;
  model::Response whole{};  ///< before anything was cut
  ArchivedAnswer opened{};  ///< as retrieval will open it
  json::Value payload{};    ///< what is fitted
  KeptBlocks blocks{};
  bool trimmed_parts = false;  ///< something beside payload and blocks
  Words words = Words::all;

  [[nodiscard]] model::Response& response() { return answer.reading.response; }
  [[nodiscard]] const model::Response& response() const { return answer.reading.response; }
  [[nodiscard]] bool is_kept() const { return !receipt.handle.empty(); }
};

inline constexpr std::size_t kOneWord = 12;  // bytes

/// Bytes of a message that only shows that there was one.
[[nodiscard]] std::size_t one_word(Words words);

/// The answer with the fitted payload and everything that must be said about it.
[[nodiscard]] ReadAnswer answer_with(const Cut& cut, const budget::FitResult& fitted);

}  // namespace enfold::answer
