// SPDX-License-Identifier: Apache-2.0
// The view of a recorded or archived answer: as it was given, or fitted again to other settings.
// These functions take long and use nothing of the loop's thread: call them on workers.
#pragma once

#include "enfold/answer/view/view.h"
#include "enfold/gateway/admin/record/recorder.h"

namespace enfold::gateway {

/// The input of a view, copied on the loop's thread for a worker.
struct ViewedAnswer {
  std::optional<AnswerContext> about;  ///< nullopt: only the original is known
  json::Value source;                  ///< the upstream's result after redaction; null: none
  answer::Receipt receipt;             ///< of the archived original; handle empty: not archived
  std::string reply;  ///< the result that the client got; empty: it is written again from `source`
};
/// A copy of what views of the recorded answer need.
[[nodiscard]] ViewedAnswer viewed(const RecordedAnswer& recorded);

/// Whether there is a result of the upstream. Else Enfold wrote the answer itself, for example
/// because the upstream did not answer.
[[nodiscard]] inline bool has_original(const ViewedAnswer& answer) {
  return !answer.source->is_null();
}
/// The answer as its client got it. Needs `about`.
[[nodiscard]] Result<answer::View> view_as_given(const ViewedAnswer& answer);
/// The same original, as `enfold fit` with these settings fits it. Nothing is stored. Needs an
/// original.
[[nodiscard]] Result<answer::View> view_refitted(const ViewedAnswer& answer,
                                                 const RefitSettings& settings);

}  // namespace enfold::gateway
