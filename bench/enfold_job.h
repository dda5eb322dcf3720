// SPDX-License-Identifier: Apache-2.0
// What Enfold does with a message, in the variants that are measured.
#pragma once

#include "bench/contestant.h"
#include "enfold/answer/answer.h"

#include <string>
#include <string_view>

namespace enfold::bench {

/// How the bytes are taken in and handed out. `slices`: the input buffer is taken over and the
/// output is a list of slices, as for writev. `contiguous`: the output is copied into one string.
/// `copied`: the input is copied first as well.
enum class Bytes { slices, contiguous, copied };

[[nodiscard]] answer::ShapeSettings
plain_settings();  ///< response-v2, structured only, no redaction

[[nodiscard]] OwningJob shaping(answer::ShapeSettings settings, Bytes bytes = Bytes::slices);
[[nodiscard]] OwningJob passing_through();
[[nodiscard]] OwningJob parsing();

/// The finished text of `shaping`, for comparison.
[[nodiscard]] std::string shaped_text(std::string_view message,
                                      const answer::ShapeSettings& settings);

}  // namespace enfold::bench
