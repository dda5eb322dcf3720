// SPDX-License-Identifier: Apache-2.0
// JSON Schema validation: 2020-12, or draft-07 if `$schema` or Options select it. Never reads files
// or the network: the caller provides referenced schemas. The work of a validation is limited.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <map>

namespace enfold::schema {

enum class Dialect { draft_2020_12, draft_07 };

/// Schemas that `$ref` and `$schema` may name, by absolute URI. The meta-schemas of the dialects
/// are always known.
using Registry = std::map<std::string, json::Value, std::less<>>;

struct Violation {
  enum class Kind : std::uint8_t { other, unknown_member, missing_member };

  std::string instance;  ///< JSON Pointer into the instance
  std::string schema;    ///< absolute schema location: URI, "#", JSON Pointer
  std::string expected;  ///< "string", "at least 1 item", "one of \"a\", \"b\""
  std::string found;     ///< "number 3", "null", "missing"
  Kind kind = Kind::other;
  std::string member{};  ///< the name of an unknown or missing member; else empty
  friend bool operator==(const Violation&, const Violation&) = default;
};

struct Validation {
  bool valid = true;
  std::vector<Violation> violations;  ///< in document order, at most `max_violations`
};

struct Options {
  Dialect default_dialect = Dialect::draft_2020_12;  ///< when there is no `$schema`
  const Registry* registry = nullptr;                ///< used by compile() only
  std::string base_uri = "schema:";                  ///< when the root has no `$id`
};

/// Immutable; copies share the compiled schema.
class Schema {
 public:
  /// Errors, with their location: invalid keywords, references and patterns (`invalid_input`),
  /// unknown dialects and patterns that RE2 cannot match (`unsupported`), too deep nesting and
  /// patterns that are too large together (`limit_exceeded`). `format` and `content…` are
  /// annotations, which are not checked.
  [[nodiscard]] static Result<Schema> compile(const json::Value& schema,
                                              const Options& options = {});

  /// Fails only with `limit_exceeded`, when the schema causes more work than the limits allow or
  /// applies itself without end. Members that are hidden by a later member of the same name are
  /// checked too.
  [[nodiscard]] Result<Validation> validate(json::View instance, const Limits& limits = {},
                                            std::size_t max_violations = 50) const;

  /// Whether the instance is valid. Stops at the first violation. Fails like validate.
  [[nodiscard]] Result<bool> accepts(json::View instance, const Limits& limits = {}) const;

 private:
  struct CompiledSchema;
  std::shared_ptr<const CompiledSchema> compiled_;
};

}  // namespace enfold::schema
