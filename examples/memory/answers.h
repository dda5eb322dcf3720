// SPDX-License-Identifier: Apache-2.0
// What each tool answers, with the level from which each member is shown. The rule behind the
// levels: minimal says what the caller cannot know, never what it just sent.
#pragma once

#include "memory.h"

namespace memory {

using level::field;
using level::fields;

struct Stored {
  std::string memory_id;
  std::string created_at;
  std::string scope;
  bool scope_changed = false;
  std::map<std::string, std::string> metadata;
  bool metadata_made = false;
  std::optional<std::string> duplicate_of;
  Memory memory;
  std::vector<std::string> associations;
  static constexpr auto fields() {
    return level::fields(field("memory_id", &Stored::memory_id, Level::minimal),
                         field("created_at", &Stored::created_at, Level::minimal),
                         field("scope", &Stored::scope, Level::minimal)
                             .when(&Stored::scope_changed)
                             .describe("Only when it is another than was asked for"),
                         field("metadata", &Stored::metadata, Level::minimal)
                             .when(&Stored::metadata_made)
                             .describe("Only when the server made it"),
                         field("duplicate_of", &Stored::duplicate_of, Level::standard)
                             .describe("An older memory that says the same"),
                         field("memory", &Stored::memory, Level::full),
                         field("associations", &Stored::associations, Level::full)
                             .describe("Memories that it was associated with"));
  }
};

struct Got {
  Memory memory;
  std::vector<Memory> near;

  [[nodiscard]] const std::string& content() const { return memory.content; }
  [[nodiscard]] const std::string& scope() const { return memory.scope; }
  [[nodiscard]] const std::string& category() const { return memory.category; }
  [[nodiscard]] const std::vector<std::string>& tags() const { return memory.tags; }
  [[nodiscard]] const std::string& created_at() const { return memory.created_at; }
  [[nodiscard]] const std::string& updated_at() const { return memory.updated_at; }
  [[nodiscard]] std::int64_t revision() const { return memory.revision; }
  [[nodiscard]] bool has_category() const { return memory.has_category(); }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const {
    return memory.metadata;
  }
  static constexpr auto fields() {
    return level::fields(
        field("content", &Got::content, Level::minimal),
        field("scope", &Got::scope, Level::standard),
        field("category", &Got::category, Level::standard).when(&Got::has_category),
        field("tags", &Got::tags, Level::standard),
        field("created_at", &Got::created_at, Level::standard),
        field("revision", &Got::revision, Level::standard)
            .describe("For if_revision of memory_update"),
        field("updated_at", &Got::updated_at, Level::full),
        field("metadata", &Got::metadata, Level::full),
        field("associations", &Got::near, Level::full).describe("The strongest ten"));
  }
};

struct Updated {
  std::string updated_at;
  std::int64_t revision = 1;
  Memory memory;
  static constexpr auto fields() {
    return level::fields(field("updated_at", &Updated::updated_at, Level::minimal),
                         field("revision", &Updated::revision, Level::standard),
                         field("memory", &Updated::memory, Level::full));
  }
};

struct Deleted {
  std::int64_t deleted_count = 0;
  std::vector<std::string> missing_ids;
  std::vector<Memory> memories;
  static constexpr auto fields() {
    return level::fields(
        field("deleted_count", &Deleted::deleted_count, Level::minimal),
        field("missing_ids", &Deleted::missing_ids, Level::minimal),
        field("memories", &Deleted::memories, Level::full).describe("What is gone, whole"));
  }
};

struct Moved {
  std::int64_t moved_count = 0;
  std::string scope;
  bool scope_changed = false;
  std::vector<std::string> missing_ids;
  std::vector<Memory> memories;
  static constexpr auto fields() {
    return level::fields(field("moved_count", &Moved::moved_count, Level::minimal),
                         field("scope", &Moved::scope, Level::minimal)
                             .when(&Moved::scope_changed)
                             .describe("Only when it is another than was asked for"),
                         field("missing_ids", &Moved::missing_ids, Level::minimal),
                         field("memories", &Moved::memories, Level::full));
  }
};

/// Of list, search and associations. Pages are the business of the envelope.
struct Found {
  std::int64_t total_count = 0;
  std::vector<Memory> memories;
  std::optional<std::string> expression;
  static constexpr auto fields() {
    return level::fields(field("total_count", &Found::total_count, Level::minimal),
                         field("memories", &Found::memories, Level::minimal).required(),
                         field("expression", &Found::expression, Level::full)
                             .describe("What the text index was asked for"));
  }
};

struct Associated {
  bool associated = true;
  std::vector<Memory> memories;
  static constexpr auto fields() {
    return level::fields(field("associated", &Associated::associated, Level::minimal),
                         field("memories", &Associated::memories, Level::full));
  }
};

struct Scope {
  std::string scope;
  std::int64_t memories = 0;
  std::int64_t memories_inside = 0;
  std::string updated_at;
  static constexpr auto fields() {
    return level::fields(field("scope", &Scope::scope, Level::minimal),
                         field("memories", &Scope::memories, Level::minimal),
                         field("memories_inside", &Scope::memories_inside, Level::standard)
                             .describe("In this scope and those inside it"),
                         field("updated_at", &Scope::updated_at, Level::full));
  }
};

struct Scopes {
  std::vector<Scope> scopes;
  static constexpr auto fields() {
    return level::fields(field("scopes", &Scopes::scopes, Level::minimal).required());
  }
};

}  // namespace memory
