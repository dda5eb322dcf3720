// SPDX-License-Identifier: Apache-2.0
// An error of this program as the failed answer that a caller gets. The message of an `internal`
// error is left out: it is for the log.
#pragma once

#include "enfold/base/result.h"
#include "enfold/model/response.h"

namespace enfold::answer {

[[nodiscard]] model::Response failure_of(const Error& error);

}  // namespace enfold::answer
