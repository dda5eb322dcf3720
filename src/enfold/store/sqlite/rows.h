// SPDX-License-Identifier: Apache-2.0
// Rows of the table `entry`: reading a row, and the statements of one put.
#pragma once

#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/database.h"

#include <cstdint>
#include <string_view>
/// The columns of every SELECT that read_row reads; the id of the entry follows.
#define ENFOLD_ROW                                                                      \
  "SELECT handle,hash,tool,arguments_hash,media_type,created,expires,size,stored,codec" \
  ",entry.id"

namespace enfold::store::detail {

[[nodiscard]] std::string_view to_blob(const Digest& digest);
[[nodiscard]] std::int64_t to_number(Time time);
[[nodiscard]] std::int64_t to_number(std::uint64_t value);  ///< saturates at the largest number

[[nodiscard]] Digest read_digest(Statement& statement);  ///< from the next column
[[nodiscard]] Row read_row(Statement& statement);  ///< of ENFOLD_ROW; the id is the next column

/// Backend::put, inside a transaction of the caller. `evictions_left` is the number of evictions
/// that the transaction may still make, and counts down. nullopt: they were not enough to make
/// room; the caller must commit them and put again in another transaction.
[[nodiscard]] Result<std::optional<Row>> put_in_transaction(Database& database,
                                                            const ArchiveOptions& options,
                                                            const PutRequest& request,
                                                            int& evictions_left);

}  // namespace enfold::store::detail
