// SPDX-License-Identifier: Apache-2.0
// An answer that is cut again: what its report says about the earlier cut, such as that of an
// upstream.
#pragma once

#include "enfold/answer/fit/cut_report.h"

namespace enfold::answer {

inline constexpr std::size_t kLongestHandle = 24;  // bytes; upstreams may use longer ones

/// "sha256:12ab...": the first digits of a hash, with dots in place of the others.
[[nodiscard]] std::string short_hash(const std::string& hash);

/// Adds the report of an earlier cut (`earlier`) to that of this cut (`now`): the lower fidelity,
/// and a few handles of the earlier cut. Facts that were counted on the whole answer override those
/// counted now. In `shown`, the warning about the earlier cut names the call that opens the archive
/// of its server. Marks count what is missing of the answer that was received; what a server says
/// that it left out before is not verified.
void add_earlier_cut(const Cut& cut, const model::Reduction& earlier, model::Reduction& now,
                     model::Response& shown);

}  // namespace enfold::answer
