// SPDX-License-Identifier: Apache-2.0
// An index of schemas by URI: documents, resources with their own `$id`, anchors. Used by the
// compiler only.
#pragma once

#include "enfold/schema/compile/dialect.h"
#include "enfold/schema/schema.h"

#include <unordered_map>

namespace enfold::schema::detail {

using ResourceId = std::uint32_t;

/// JSON Pointers as a tree of tokens, so that deep schemas take linear memory.
class Steps {
 public:
  using Id = std::uint32_t;
  static constexpr Id kRoot = 0;

  [[nodiscard]] Id extend(Id parent, std::string token);
  [[nodiscard]] std::string pointer(Id id) const;

 private:
  struct Step {
    Id parent;
    std::string token;
  };
  std::vector<Step> steps_{Step{kRoot, {}}};
};

/// Where a schema is.
struct Place {
  ResourceId resource = 0;
  Steps::Id step = Steps::kRoot;  ///< from the root of the resource
};

/// A schema that a reference leads to.
struct Target {
  json::View schema;
  Place place;
};

/// A schema with an identity: a document, or a subschema with `$id`.
struct Resource {
  std::string uri;  ///< absolute, without fragment
  json::View root;
  Rules rules;
  std::map<std::string, Target, std::less<>> anchors;  ///< including dynamic anchors
  std::map<std::string, Target, std::less<>> dynamic_anchors;
};

class SchemaIndex {
 public:
  explicit SchemaIndex(const Options& options) : options_(options) {}

  /// Adds the schema to compile; called first, and once.
  [[nodiscard]] Result<Target> add_root(const json::Value& schema);
  /// The schema that an absolute URI with an optional fragment names. `where`: the place of the
  /// reference, for errors.
  [[nodiscard]] Result<Target> resolve(const std::string& uri, const std::string& where);

  [[nodiscard]] const Resource& resource(ResourceId id) const { return resources_[id]; }
  [[nodiscard]] std::size_t resource_count() const { return resources_.size(); }
  /// The place of an indexed schema. A schema with `$id` is the root of its own resource.
  [[nodiscard]] Place place_of(json::View schema) const { return places_.at(key(schema)); }
  [[nodiscard]] std::string location(const Place& place) const {
    return resources_[place.resource].uri + "#" + steps_.pointer(place.step);
  }
  [[nodiscard]] std::vector<json::Value> take_documents() { return std::move(documents_); }
  [[nodiscard]] Steps take_steps() { return std::move(steps_); }

 private:
  struct Key {
    const json::detail::Storage* storage;
    std::uint32_t offset;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<const void*>()(key.storage) ^
             (std::size_t{key.offset} * 0x9e3779b97f4a7c15U);
    }
  };
  struct Identity;

  static Key key(json::View view) { return {view.storage(), view.offset()}; }
  /// Adds a document and all its subschemas; returns the resource that exists if the document was
  /// added before. `inherited`: the rules of a document without `$schema`.
  [[nodiscard]] Result<ResourceId> add_document(const json::Value& document, const std::string& uri,
                                                Rules inherited);
  /// Enters the schema and its subschemas into the index.
  [[nodiscard]] Status walk(json::View schema, Place place, std::uint32_t depth);
  [[nodiscard]] Status walk_children(json::View schema, const Place& place, std::uint32_t depth);
  /// Adds a resource if `$id` starts a new one, and makes its root the place.
  [[nodiscard]] Status open_resource(json::View schema, const Identity& identity, Place& place);
  void add_anchors(json::View schema, const Identity& identity, const Place& place);
  /// The resource with this URI; adds its document from the registry if necessary.
  [[nodiscard]] Result<ResourceId> find_resource(const std::string& uri, const std::string& where);
  /// The schema at a JSON Pointer into a resource. `uri`: the whole reference, for errors.
  [[nodiscard]] Result<Target> follow_pointer(ResourceId from, const std::string& pointer,
                                              const std::string& uri, const std::string& where);

  const Options& options_;
  Steps steps_;
  Rules root_rules_;  ///< of the schema to compile, and of other documents without `$schema`
  std::vector<Resource> resources_;
  std::map<std::string, ResourceId, std::less<>> by_uri_;
  std::unordered_map<Key, Place, KeyHash> places_;  ///< of all indexed schemas
  std::unordered_map<Key, Error, KeyHash> broken_;  ///< documents that could not be added
  std::vector<json::Value> documents_;              ///< keeps the indexed schemas alive
  bool all_documents_added_ = false;                ///< find_resource has tried the whole registry
};

// URI references and fragments (RFC 3986), as far as schemas need them.

struct SplitUri {
  std::string_view document;  ///< without the "#"
  std::string_view fragment;  ///< still percent-encoded
};

[[nodiscard]] SplitUri split_fragment(std::string_view uri);

/// Resolves `reference` against `base` (RFC 3986, section 5.2).
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

/// Replaces %XX by the byte; the text itself if that is not possible.
[[nodiscard]] std::string decode_fragment(std::string_view text);

}  // namespace enfold::schema::detail
