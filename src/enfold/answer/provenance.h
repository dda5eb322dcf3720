// SPDX-License-Identifier: Apache-2.0
// Members of an envelope that only the gateway may write: request id, rate limit, dropped ids,
// archive hashes, session, and `dev.enfold/…`. If an upstream answers with such members, because
// it uses the same contract or is itself a gateway, its values move to the member
// `dev.enfold/upstream` of the result's `_meta`.
#pragma once

#include "enfold/answer/shape.h"

namespace enfold::answer {

inline constexpr std::string_view kUpstreamMeta = "dev.enfold/upstream";

/// Whether only Enfold writes a member of `_meta`: its key begins with "dev.enfold/".
[[nodiscard]] bool is_enfold_meta(json::View key);

/// The value with the members `dev.enfold/…` of every `_meta` in it moved to the member
/// `dev.enfold/upstream` of that `_meta`. `structuredContent` is data and stays as it is. A value
/// without such members is returned unchanged.
[[nodiscard]] json::Value mark_upstream_meta(json::Value value);

/// An upstream's value that is shown without a contract: secrets are redacted, if there is a
/// `policy`, and mark_upstream_meta is applied; all other bytes stay. Fails if it cannot be
/// redacted.
[[nodiscard]] Result<json::Value> pass_through(json::Value value, const redact::Policy* policy);

/// Moves the members that only the gateway may write from the response to `answer.upstream`.
/// Warnings of the upstream get `context.source` "upstream" and come after those of Enfold. If the
/// answer is not written in response-v2 (`contract`), the only contract with warnings, they are
/// copied to `answer.upstream`. If the upstream cut its answer without a warning, one is added.
void separate_upstream_words(ReadAnswer& answer, contract::Id contract);

}  // namespace enfold::answer
