// SPDX-License-Identifier: Apache-2.0
// The statements of one put, inside the caller's transaction.
#pragma once

#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/database.h"

namespace enfold::store::detail {

[[nodiscard]] Result<Row> put_in_transaction(Database& database, const ArchiveOptions& options,
                                             const PutRequest& request);

}  // namespace enfold::store::detail
