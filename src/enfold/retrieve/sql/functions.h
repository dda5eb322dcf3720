// SPDX-License-Identifier: Apache-2.0
// Text functions of SQL whose time is bounded. SQLite's own `like`, `glob`, `instr`, `replace` and
// `trim` take time that is a product of the lengths of their arguments or worse, inside one step
// that nothing can interrupt. `regexp` is RE2.
#pragma once

#include <string_view>

struct sqlite3;
struct sqlite3_context;
struct sqlite3_value;

namespace enfold::retrieve::detail {

class Sandbox;

/// The value as text, valid until SQLite converts or frees it; empty for NULL.
[[nodiscard]] std::string_view text_of(sqlite3_value* value);
/// Makes a copy of the text the result of a function or column.
void return_text(sqlite3_context* context, std::string_view text);
/// Replaces SQLite's functions of the names above, and adds `regexp`. The functions count their
/// work in `sandbox`, which must outlive the connection. False: SQLite refused a function.
[[nodiscard]] bool register_functions(sqlite3* database, Sandbox& sandbox);
/// Replaces `printf`, `format`, `json_group_array` and `json_group_object` by functions whose
/// results are bounded. `sandbox` must outlive the connection. False: SQLite refused a function.
[[nodiscard]] bool register_bounded_functions(sqlite3* database, Sandbox& sandbox);

}  // namespace enfold::retrieve::detail
