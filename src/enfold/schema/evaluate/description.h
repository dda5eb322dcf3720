// SPDX-License-Identifier: Apache-2.0
// Descriptions of values and counts for violations (long values are shortened), and equality.
#pragma once

#include "enfold/json/document.h"
#include "enfold/schema/compile/program.h"

namespace enfold::schema::detail {

/// "null", "number 3", "string \"abc\"", "array of 2 items".
[[nodiscard]] std::string describe(json::View value);

/// "1 item", "2 items".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// "string", "string or null".
[[nodiscard]] std::string type_names(TypeSet types);

/// What a value must be to match one of the alternatives: "string or array of strings"; empty if a
/// message has no room for this.
[[nodiscard]] std::string describe_alternatives(const Program& program,
                                                const Applicator& applicator);

/// The schema that a schema with nothing but a `$ref` leads to; for any other schema, `id` itself.
[[nodiscard]] NodeId without_references(const Program& program, NodeId id);

/// "exactly \"a\"" for the keyword `const`, "one of \"a\", \"b\"" for `enum`.
[[nodiscard]] std::string choices(const std::vector<json::View>& values, bool is_const);

/// A JSON string with quotes, shortened.
[[nodiscard]] std::string quoted(std::string_view text);

/// Equality of const, enum and uniqueItems: like json::equal, but numbers are equal by value (1 and
/// 1.0).
[[nodiscard]] bool schema_equal(json::View a, json::View b);

/// Values that are schema_equal have equal hashes.
[[nodiscard]] std::uint64_t schema_hash(json::View value);

}  // namespace enfold::schema::detail
