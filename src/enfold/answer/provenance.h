// SPDX-License-Identifier: Apache-2.0
// What an upstream says in Enfold's place: request id, rate limit, archive hashes, session and
// members of its own Enfold. In the envelope these are the gateway's words; the upstream's move to
// the member `dev.enfold/upstream` of the result's `_meta`.
#pragma once

#include "enfold/answer/shape.h"

namespace enfold::answer {

inline constexpr std::string_view kUpstreamMeta = "dev.enfold/upstream";

/// Whether a member of `_meta` is written by Enfold alone.
[[nodiscard]] bool is_enfold_meta(json::View key);

/// Takes these members out of the response into `answer.upstream`. Warnings of the upstream get
/// `context.source` and stand after those of Enfold; if `contract` has no warnings, they move too.
void separate_upstream_words(ReadAnswer& answer, contract::Id contract);

}  // namespace enfold::answer
