// SPDX-License-Identifier: Apache-2.0
// Goes through one JSON value and collects what has to be exchanged, as edits of its bytes.
#pragma once

#include "enfold/redact/find/scanner.h"
#include "enfold/redact/redact.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::redact::detail {

/// Exchanges bytes [begin, end) of JSON text for others that are JSON in their place.
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

[[nodiscard]] std::string apply_edits(std::string_view bytes, const std::vector<Edit>& edits);

/// How a secret is replaced: the first way that the announced schema accepts.
enum class Way : std::uint8_t { marker, stars, shape, empty, none_fits };

/// A pointer in which every index is `*`: the items of an array share a schema, so they are
/// replaced in the same way, and many of them cost no more rounds than one.
using Place = std::pair<std::string, Finding::Where>;
[[nodiscard]] std::string general(std::string_view pointer);
using Ways = std::map<Place, Way>;

struct Harvest {
  std::vector<Edit> edits;  ///< in order
  std::vector<Finding> findings;
};

[[nodiscard]] Harvest harvest(json::View root, const Scanner& scanner, const Ways& ways);

}  // namespace enfold::redact::detail
