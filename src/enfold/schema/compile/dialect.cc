// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/dialect.h"

#include "enfold/base/embedded.h"
#include "enfold/schema/compile/index.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

/// A keyword and which subschemas its value contains.
using KeywordRow = std::pair<std::string_view, SubschemaKind>;

constexpr std::array<KeywordRow, 20> kSubschemas2020{{
    {"$defs", SubschemaKind::map},
    {"additionalProperties", SubschemaKind::schema},
    {"allOf", SubschemaKind::list},
    {"anyOf", SubschemaKind::list},
    {"contains", SubschemaKind::schema},
    {"contentSchema", SubschemaKind::schema},
    {"definitions", SubschemaKind::map},  // older spelling that the meta-schema still describes
    {"dependentSchemas", SubschemaKind::map},
    {"else", SubschemaKind::schema},
    {"if", SubschemaKind::schema},
    {"items", SubschemaKind::schema},
    {"not", SubschemaKind::schema},
    {"oneOf", SubschemaKind::list},
    {"patternProperties", SubschemaKind::map},
    {"prefixItems", SubschemaKind::list},
    {"properties", SubschemaKind::map},
    {"propertyNames", SubschemaKind::schema},
    {"then", SubschemaKind::schema},
    {"unevaluatedItems", SubschemaKind::schema},
    {"unevaluatedProperties", SubschemaKind::schema},
}};

constexpr std::array<KeywordRow, 16> kSubschemas07{{
    {"additionalItems", SubschemaKind::schema},
    {"additionalProperties", SubschemaKind::schema},
    {"allOf", SubschemaKind::list},
    {"anyOf", SubschemaKind::list},
    {"contains", SubschemaKind::schema},
    {"definitions", SubschemaKind::map},
    {"dependencies", SubschemaKind::map},
    {"else", SubschemaKind::schema},
    {"if", SubschemaKind::schema},
    {"items", SubschemaKind::schema_or_list},
    {"not", SubschemaKind::schema},
    {"oneOf", SubschemaKind::list},
    {"patternProperties", SubschemaKind::map},
    {"properties", SubschemaKind::map},
    {"propertyNames", SubschemaKind::schema},
    {"then", SubschemaKind::schema},
}};

template <std::size_t size>
SubschemaKind find_kind(const std::array<KeywordRow, size>& rows, std::string_view keyword) {
  const auto* found = std::lower_bound(
      rows.begin(), rows.end(), keyword,
      [](const KeywordRow& row, std::string_view wanted) { return row.first < wanted; });
  return found != rows.end() && found->first == keyword ? found->second : SubschemaKind::nothing;
}

std::optional<Rules> known_rules(std::string_view uri) {
  if (uri == "https://json-schema.org/draft/2020-12/schema") return Rules{};
  if (uri == "http://json-schema.org/draft-07/schema" ||
      uri == "https://json-schema.org/draft-07/schema") {
    return Rules{Dialect::draft_07, kAllVocabularies};
  }
  return std::nullopt;
}

constexpr std::string_view kVocabularyBase = "https://json-schema.org/draft/2020-12/vocab/";

// The bit of a vocabulary; 0 for annotations, nullopt if unknown.
std::optional<std::uint8_t> vocabulary_bit(std::string_view uri) {
  if (!uri.starts_with(kVocabularyBase)) return std::nullopt;
  uri.remove_prefix(kVocabularyBase.size());
  const auto bit = [](Vocabulary vocabulary) { return static_cast<std::uint8_t>(vocabulary); };
  if (uri == "core") return bit(Vocabulary::core);
  if (uri == "applicator") return bit(Vocabulary::applicator);
  if (uri == "unevaluated") return bit(Vocabulary::unevaluated);
  if (uri == "validation") return bit(Vocabulary::validation);
  if (uri == "meta-data" || uri == "format-annotation" || uri == "content") return 0;
  return std::nullopt;
}

Result<Rules> read_vocabularies(json::View vocabularies, std::string_view uri,
                                std::string_view where) {
  Rules rules{Dialect::draft_2020_12, static_cast<std::uint8_t>(Vocabulary::core)};
  for (const json::Member& member : vocabularies.members()) {
    const std::string name = member.key.string();
    if (const auto bit = vocabulary_bit(name)) {
      rules.vocabularies = static_cast<std::uint8_t>(rules.vocabularies | *bit);
    } else if (member.value.boolean()) {
      return fail(ErrorCode::unsupported,
                  fmt::format("the meta-schema {} requires the unknown vocabulary {}", uri, name),
                  std::string(where));
    }
  }
  return rules;
}

}  // namespace

SubschemaKind subschemas_in(Dialect dialect, std::string_view keyword) {
  return dialect == Dialect::draft_07 ? find_kind(kSubschemas07, keyword)
                                      : find_kind(kSubschemas2020, keyword);
}

const json::Value* find_document(const Registry& registry, std::string_view uri) {
  if (const auto found = registry.find(uri); found != registry.end()) return &found->second;
  const std::string with_fragment = std::string(uri) + "#";
  const auto found = registry.find(with_fragment);
  return found != registry.end() ? &found->second : nullptr;
}

Result<Rules> find_rules(std::string_view schema_uri, const Registry* registry,
                         std::string_view where) {
  std::string uri(split_fragment(schema_uri).document);
  // A meta-schema without `$vocabulary` uses the dialect of its own `$schema`.
  for (int hops = 0; hops < 8; ++hops) {
    if (const auto known = known_rules(uri)) return *known;
    const json::Value* meta = registry != nullptr ? find_document(*registry, uri) : nullptr;
    if (meta == nullptr) break;
    const auto vocabularies = (*meta)->find("$vocabulary");
    if (vocabularies && vocabularies->is_object()) {
      return read_vocabularies(*vocabularies, uri, where);
    }
    uri = split_fragment((*meta)->find("$schema").value_or(json::View()).string()).document;
  }
  return fail(ErrorCode::unsupported,
              fmt::format("expected \"$schema\" to name draft 2020-12 or draft-07, found \"{}\"",
                          schema_uri),
              std::string(where),
              "Use https://json-schema.org/draft/2020-12/schema, or register the meta-schema.");
}

std::span<const EmbeddedFile> meta_schema_files();  // written by cmake/embed.cmake

const Registry& meta_schemas() {
  static const Registry registry = [] {
    Registry all;
    for (const EmbeddedFile& file : meta_schema_files()) {
      json::Value schema = json::parse_own(file.text);
      const std::string id = schema->find("$id").value_or(json::View()).string();
      all.emplace(split_fragment(id).document, std::move(schema));
    }
    return all;
  }();
  return registry;
}

}  // namespace enfold::schema::detail
