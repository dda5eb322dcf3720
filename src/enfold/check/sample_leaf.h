// SPDX-License-Identifier: Apache-2.0
// Values without members for sample arguments: those that a schema contains, texts and numbers.
#pragma once

#include "enfold/json/write.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::check {

/// The schemas that together describe one value.
using SchemaParts = std::vector<json::View>;

/// The member of the first part that has it.
[[nodiscard]] std::optional<json::View> find_in(const SchemaParts& parts, std::string_view name);
/// The largest of the numbers that the parts have as this member; nullopt: none is at least 0.
[[nodiscard]] std::optional<std::size_t> count_in(const SchemaParts& parts, std::string_view name);

/// A value that the schema contains and accepts: const, an example, the default, or one of enum.
/// `nth`: which of several.
[[nodiscard]] std::optional<json::View> provided_value(const SchemaParts& parts, std::size_t nth);

/// By format, pattern and length. `nth` texts differ from each other where the schema allows it.
[[nodiscard]] std::string text_for(const SchemaParts& parts, std::size_t nth);
[[nodiscard]] double number_for(const SchemaParts& parts, bool whole, std::size_t nth);
/// As an integer if it is one.
void write_number(json::Writer& writer, double number);

}  // namespace enfold::check
