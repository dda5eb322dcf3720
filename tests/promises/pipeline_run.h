// SPDX-License-Identifier: Apache-2.0
// One answer on its way through the whole pipeline, with a real archive in the middle, and what
// retrieval gives of it afterwards.
#pragma once

#include "enfold/retrieve/retrieve.h"
#include "enfold/store/archive.h"
#include "tests/promises/pipeline_case.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::testing {

inline constexpr store::Time kNow{std::chrono::seconds(1'700'000'000)};

struct Run {
  PipelineCase drawn;
  answer::PreparedAnswer prepared;
  answer::Receipt receipt;  ///< when it did not fit
  answer::FittedAnswer finished;
  std::string envelope;
  /// What the gateway and servers send of a tool's result: made by the functions that they call,
  /// answer::begin and tools::store_and_finish. Empty for text and for JSON that is no result.
  std::string sent{};
  std::string sent_unstored{};  ///< the same while the archive refuses every put

  [[nodiscard]] const model::Response& before() const { return prepared.answer.reading.response; }
  [[nodiscard]] const model::Response& after() const { return finished.answer.reading.response; }
};

/// nullopt: the tokenizer only estimates, and the budget is too small for its estimate.
[[nodiscard]] std::optional<Run> run(std::string_view choices, const Claim& claim,
                                     store::Archive& archive);

[[nodiscard]] Result<answer::Receipt> stored(store::Archive& archive, const std::string& principal,
                                             const answer::PreparedAnswer& prepared);

/// A sent result as its reader sees it: the envelope, with the blocks beside it. nullopt: the
/// envelope cannot be read.
[[nodiscard]] std::optional<model::Response> response_of(const std::string& sent,
                                                         const PipelineCase& drawn);

/// Where something is missing.
[[nodiscard]] std::vector<std::string> gaps_of(const model::Reduction& reduction);
/// Every place that a report names.
[[nodiscard]] std::vector<std::string> places_of(const model::Reduction& reduction);

[[nodiscard]] Result<retrieve::QueryResult> fetched(const Run& run, retrieve::Selection selection);

}  // namespace enfold::testing
