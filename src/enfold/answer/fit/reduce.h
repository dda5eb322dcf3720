// SPDX-License-Identifier: Apache-2.0
// Brings an understood answer under its budget and says what became of it. The original must be
// safe: this is the half of the pipeline after storing.
#pragma once

#include "enfold/answer/fit/prepare.h"

namespace enfold::answer {

/// `limit` names what the whole answer exceeds, as in `Prepared`.
/// A receipt without a handle: there is no way back, and the answer says so.
[[nodiscard]] Result<FittedAnswer> reduce(ReadAnswer answer, const Receipt& receipt,
                                          std::string_view limit, const FitSettings& settings);

}  // namespace enfold::answer
