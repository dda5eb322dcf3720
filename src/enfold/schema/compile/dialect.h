// SPDX-License-Identifier: Apache-2.0
// Dialects: which keywords apply, and which contain subschemas.
#pragma once

#include "enfold/base/result.h"
#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

/// Vocabularies with assertions or applicators; the others are annotations.
enum class Vocabulary : std::uint8_t { core = 1, applicator = 2, unevaluated = 4, validation = 8 };

inline constexpr std::uint8_t kAllVocabularies = 0xF;

struct Rules {
  Dialect dialect = Dialect::draft_2020_12;
  std::uint8_t vocabularies = kAllVocabularies;

  [[nodiscard]] bool has(Vocabulary vocabulary) const {
    return (vocabularies & static_cast<std::uint8_t>(vocabulary)) != 0;
  }
};

/// How the value of a keyword contains subschemas.
enum class SubschemaKind : std::uint8_t {
  nothing,
  schema,          ///< is one
  list,            ///< array of schemas
  map,             ///< object of schemas
  schema_or_list,  ///< for `items` of draft-07
};

/// The kind of subschemas in the value of a keyword. `dependencies` counts as a map; its lists of
/// names are skipped.
[[nodiscard]] SubschemaKind subschemas_in(Dialect dialect, std::string_view keyword);

/// The rules for a `$schema` URI: a known dialect, or a meta-schema in the registry with its
/// `$vocabulary`. Fails with `unsupported`.
[[nodiscard]] Result<Rules> find_rules(std::string_view schema_uri, const Registry* registry,
                                       std::string_view where);

/// Looks up a document by URI in a registry, with and without an empty fragment.
[[nodiscard]] const json::Value* find_document(const Registry& registry, std::string_view uri);

/// The meta-schemas that are part of the program (schema/meta), by URI without fragment.
[[nodiscard]] const Registry& meta_schemas();

}  // namespace enfold::schema::detail
