// SPDX-License-Identifier: Apache-2.0
// Text functions of SQL in linear time. SQLite's own `like`, `glob`, `instr`, `replace` and `trim`
// take time that is a product of the lengths of their arguments or worse, inside one step that
// nothing can interrupt. `regexp` is RE2.
#pragma once

struct sqlite3;

namespace enfold::retrieve::detail {

/// Replaces SQLite's functions of these names. False: SQLite refused one.
[[nodiscard]] bool register_functions(sqlite3* database);
/// Replaces `printf`, `format`, `json_group_array` and `json_group_object` by functions whose
/// results are bounded. False: SQLite refused one.
[[nodiscard]] bool register_bounded_functions(sqlite3* database);

}  // namespace enfold::retrieve::detail
