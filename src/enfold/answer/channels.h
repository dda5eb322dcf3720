// SPDX-License-Identifier: Apache-2.0
// Settings of all answers; a small header, because the settings of each server include it.
#pragma once

namespace enfold::answer {

/// In which channels of an MCP result the envelope is written: structuredContent, a text block, or
/// both. Clients differ in what their model reads, so `both` is the default.
enum class Channels { both, structured, text };

/// What happens to an answer over the budget when its original cannot be stored.
enum class Unstored {
  whole,  ///< the answer is sent whole, over the budget, with a warning: for `enfold fit`
  fail,   ///< `finish` returns a failed answer (kind unavailable) in its place, with a warning
  cut,    ///< the answer is cut and says that the rest is lost
};

}  // namespace enfold::answer
