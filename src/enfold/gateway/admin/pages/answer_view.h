// SPDX-License-Identifier: Apache-2.0
// The view of a recorded or archived answer: as it was given, or fitted again to other settings.
// These functions take a while and use nothing of the loop's thread: they belong on workers.
#pragma once

#include "enfold/answer/view/view.h"
#include "enfold/gateway/admin/record/recorder.h"

namespace enfold::gateway {

/// What a view is made of, copied on the loop's thread.
struct ViewedAnswer {
  std::optional<AnswerContext> about;  ///< nullopt: only the original is known
  json::Value source;                  ///< the upstream's result after redaction; null: none
  std::string text;                    ///< the original, if it is no JSON
  answer::Receipt receipt;
  std::string reply;  ///< the result that the client got, if there is no source
};
[[nodiscard]] ViewedAnswer viewed(const RecordedAnswer& recorded);

/// The answer as its client got it.
[[nodiscard]] Result<answer::View> view_as_given(const ViewedAnswer& answer);
/// The same original, as `enfold fit` with these settings fits it. Nothing is stored.
[[nodiscard]] Result<answer::View> view_refitted(const ViewedAnswer& answer,
                                                 const RefitSettings& settings);

}  // namespace enfold::gateway
