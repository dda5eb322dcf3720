// SPDX-License-Identifier: Apache-2.0
// Dialects: which keywords apply, and which contain subschemas.
#pragma once

#include "enfold/base/result.h"
#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

/// Vocabularies with assertions or applicators; the others are annotations.
enum class Vocabulary : std::uint8_t { core = 1, applicator = 2, unevaluated = 4, validation = 8 };

inline constexpr std::uint8_t kAllVocabularies = 0xF;

/// Which keywords apply: those of the dialect that belong to one of the vocabularies.
struct Rules {
  Dialect dialect = Dialect::draft_2020_12;
  std::uint8_t vocabularies = kAllVocabularies;  ///< values of Vocabulary, combined as bits

  [[nodiscard]] bool has(Vocabulary vocabulary) const {
    return (vocabularies & static_cast<std::uint8_t>(vocabulary)) != 0;
  }
};

/// How the value of a keyword contains subschemas.
enum class SubschemaKind : std::uint8_t {
  nothing,         ///< it contains none
  schema,          ///< it is a schema
  list,            ///< array of schemas
  map,             ///< object of schemas
  schema_or_list,  ///< for `items` of draft-07
};

/// The kind of subschemas in the value of a keyword. `dependencies` counts as a map, in which lists
/// of names may be in the place of schemas.
[[nodiscard]] SubschemaKind subschemas_in(Dialect dialect, std::string_view keyword);

/// The rules for a `$schema` URI: those of a known dialect, or by `$vocabulary` of a meta-schema in
/// the registry (nullptr: none). Fails with `unsupported`. `where`: the place of `$schema`, for
/// errors.
[[nodiscard]] Result<Rules> find_rules(std::string_view schema_uri, const Registry* registry,
                                       std::string_view where);

/// The document with this URI in a registry, whose key may end in "#"; nullptr: none.
[[nodiscard]] const json::Value* find_document(const Registry& registry, std::string_view uri);

/// The meta-schemas that are part of the program (schema/meta), by URI without fragment.
[[nodiscard]] const Registry& meta_schemas();

}  // namespace enfold::schema::detail
