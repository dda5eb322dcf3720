// SPDX-License-Identifier: Apache-2.0
// Values for sample arguments: those that a schema itself contains (const, examples, enum …), texts
// and numbers.
#pragma once

#include "enfold/json/write.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::check {

/// The schemas that one value must meet together.
using SchemaParts = std::vector<json::View>;

/// The member `name` of the first part that has it; nullopt: none has it.
[[nodiscard]] std::optional<json::View> find_in(const SchemaParts& parts, std::string_view name);
/// The largest number that a part has as its member `name`; nullopt: no part has one of at least 0.
[[nodiscard]] std::optional<std::size_t> count_in(const SchemaParts& parts, std::string_view name);

/// A value that the parts contain and accept: const, an example, the default, or one of enum.
/// `nth`: which of several, from 0. nullopt: there are not so many.
[[nodiscard]] std::optional<json::View> provided_value(const SchemaParts& parts, std::size_t nth);

/// A text by format, pattern and length. Texts for different `nth` differ where the schema allows
/// it. "example", which the schema may refuse, if no better text is found.
[[nodiscard]] std::string text_for(const SchemaParts& parts, std::size_t nth);
/// A number by bounds and multipleOf, a larger one for a larger `nth`; 1, which the schema may
/// refuse, if none is found.
[[nodiscard]] double number_for(const SchemaParts& parts, bool is_integer, std::size_t nth);
/// Writes a number without a fraction as an integer.
void write_number(json::Writer& writer, double number);

}  // namespace enfold::check
