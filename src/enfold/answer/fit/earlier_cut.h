// SPDX-License-Identifier: Apache-2.0
// An answer that is cut again: what its report says about the earlier cut, such as that of an
// upstream.
#pragma once

#include "enfold/answer/fit/cut_report.h"

namespace enfold::answer {

inline constexpr std::size_t kLongestHandle =
    24;  // bytes; the report omits longer ones of upstreams

/// "sha256:12ab...": the first digits of a hash, with dots in place of the others.
[[nodiscard]] std::string short_hash(const std::string& hash);

/// Adds the report of an earlier cut (`earlier`) to that of this cut (`now`): the lower fidelity,
/// and a few handles of the earlier cut. Facts that were counted on the whole answer override those
/// counted now. If `shown` has a warning about the earlier cut, and cut.detail is
/// ReportDetail::all, appends earlier.way_back to that warning: the call that opens the rest on the
/// server that made that cut. The markers in the payload stay as they are: they count what this cut
/// removed from the answer as received. What the earlier cut says that it removed cannot be
/// verified, and is not added to them.
void add_earlier_cut(const Cut& cut, const model::Reduction& earlier, model::Reduction& now,
                     model::Response& shown);

}  // namespace enfold::answer
