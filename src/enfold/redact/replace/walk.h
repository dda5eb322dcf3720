// SPDX-License-Identifier: Apache-2.0
// Walks a JSON value and collects redactions as edits of its bytes.
#pragma once

#include "enfold/redact/find/scanner.h"
#include "enfold/redact/redact.h"

#include <map>

namespace enfold::redact::detail {

/// Replaces bytes [begin, end) of JSON text.
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

[[nodiscard]] std::string apply_edits(std::string_view bytes, const std::vector<Edit>& edits);

/// How a secret is replaced; Enfold tries them in order until the schema accepts one.
enum class Way : std::uint8_t { marker, stars, shape, empty, none_fits };

/// A pointer with every index replaced by `*`: the items of an array share a schema, so they are
/// replaced in the same way.
using Place = std::pair<std::string, Finding::Where>;
[[nodiscard]] std::string general(std::string_view pointer);
using Ways = std::map<Place, Way>;

struct Redactions {
  std::vector<Edit> edits;  ///< in order
  std::vector<Finding> findings;
};

[[nodiscard]] Redactions collect_redactions(json::View root, const Scanner& scanner,
                                            const Ways& ways);

/// Never needs escaping in JSON.
[[nodiscard]] std::string replacement(Way way, std::string_view label, std::string_view secret);

[[nodiscard]] std::string replacement_number(Way way, std::size_t digits);

}  // namespace enfold::redact::detail
