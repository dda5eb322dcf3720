// SPDX-License-Identifier: Apache-2.0
// Walks a JSON value and collects redactions as edits of its bytes.
#pragma once

#include "enfold/redact/find/scanner.h"
#include "enfold/redact/redact.h"

#include <map>
#include <unordered_set>

namespace enfold::redact::detail {

/// Replaces bytes [begin, end) of a text. Lists of edits are in order and do not overlap.
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

[[nodiscard]] std::string apply_edits(std::string_view bytes, const std::vector<Edit>& edits);
/// Like apply_edits, into a buffer for json::parse.
[[nodiscard]] json::Buffer edited_buffer(std::string_view bytes, const std::vector<Edit>& edits);

/// How a secret is replaced; Enfold tries the styles in order until the schema accepts one. `stars`
/// and `mask` keep the length, `mask` also the kinds of characters. `none_fits`: the schema accepts
/// no style, so the marker is used.
enum class ReplacementStyle : std::uint8_t { marker, stars, mask, empty, none_fits };

/// Replaces every index in a pointer by `*`.
[[nodiscard]] std::string to_pattern(std::string_view pointer);
/// A pointer as to_pattern returns it: the items of an array share a schema, so their secrets are
/// replaced in the same style.
using Place = std::pair<std::string, Finding::Where>;
/// Places that are not in the map have the style `marker`.
using ReplacementStyles = std::map<Place, ReplacementStyle>;

struct Redactions {
  std::vector<Edit> edits;  ///< of `root.raw()`
  std::vector<Finding> findings;
  std::unordered_set<std::size_t> values;  ///< hashes of the secrets, to count different ones
  /// Adds a secret to `values`.
  void count_value(std::string_view value);
};

[[nodiscard]] Redactions collect_redactions(json::View root, const Scanner& scanner,
                                            const ReplacementStyles& styles);

/// The text that replaces a secret in a string. It needs no escapes in JSON.
[[nodiscard]] std::string replacement(ReplacementStyle style, std::string_view label,
                                      std::string_view secret);

/// The number that replaces one of so many digits: `10…0` with as many digits for `stars` and
/// `mask`, which keep the length, else `0`.
[[nodiscard]] std::string replacement_number(ReplacementStyle style, std::size_t digits);

}  // namespace enfold::redact::detail
