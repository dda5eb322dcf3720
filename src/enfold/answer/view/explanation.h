// SPDX-License-Identifier: Apache-2.0
// How an answer was fitted, as `enfold fit --explain` and the dashboard tell it: what is shown or
// not, why, and what each part costs.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/json/write.h"

namespace enfold::answer {

struct FitExplanation {
  std::string file;                        ///< of the answer; empty: it comes from none
  budget::Size whole;                      ///< the answer before it was fitted
  bool fits = true;                        ///< it is within its budget, so nothing was cut
  const FittedAnswer* finished = nullptr;  ///< the answer after it was fitted; must be set
  Receipt receipt;                         ///< with the handle that it has or would get, if cut
  const FitSettings* settings = nullptr;   ///< must be set
  std::string client;                      ///< name of the profile; may be empty
};

/// A text for people: why a part is shown as budget::Part::what says; empty: `what` is none of its
/// values.
[[nodiscard]] std::string_view reason_of(std::string_view what);

/// The tokens that belong to no part: the envelope, the containers around the data, the report of
/// what is missing, and the index without its rows and lines, which are parts.
[[nodiscard]] std::size_t tokens_beside_parts(const FittedAnswer& finished);

/// How much of the answer is shown: the level of its reduction, if it was cut.
[[nodiscard]] model::Fidelity fidelity_of(const FittedAnswer& finished);

/// One object: level, budget, sizes and, if the answer was cut, its parts.
void write_explanation(json::Writer& writer, const FitExplanation& explanation);

/// The member `key`: {"tokens":…,"characters":…,"lines":…}
void write_size(json::Writer& writer, std::string_view key, const budget::Size& size);

}  // namespace enfold::answer
