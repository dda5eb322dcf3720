// SPDX-License-Identifier: Apache-2.0
// An answer that is cut again: what its report says of the earlier cut, such as that of an
// upstream.
#pragma once

#include "enfold/answer/fit/cut_report.h"

namespace enfold::answer {

inline constexpr std::size_t kLongestHandle = 24;  // bytes; upstreams may use longer ones

/// An abbreviated hash, which the contract marks with dots at its end.
[[nodiscard]] std::string short_hash(const std::string& hash);

/// The fidelity cannot rise again, the report keeps the handles of earlier cuts while there is
/// room, and facts that were counted on the whole answer override those counted now. In `shown`,
/// the warning about the earlier cut leads to the archive of its server. Marks count what is
/// missing of the answer that was received; what a server says that it left out before is not
/// verified.
void add_earlier_cut(const Cut& cut, const model::Reduction& earlier, model::Reduction& now,
                     model::Response& shown);

}  // namespace enfold::answer
