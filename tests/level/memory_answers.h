// SPDX-License-Identifier: Apache-2.0
// Answers of an associative memory, as its author would declare them. docs/guide/levels.md quotes
// this file; documentation_test.cc holds the two together.
#pragma once

#include "enfold/level/fields.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace enfold::level::testing {

struct Memory {
  std::string id;
  std::string scope;
  std::string content;
  std::vector<std::string> tags;

  static constexpr auto fields() {
    return level::fields(level::field("id", &Memory::id, Level::minimal),
                         level::field("scope", &Memory::scope, Level::standard),
                         level::preview("content", &Memory::content, 100),
                         level::field("tags", &Memory::tags, Level::full));
  }
};

struct MemoryStored {
  bool success = true;
  std::string memory_id;
  std::string created_at;
  std::string scope;
  bool scope_changed = false;
  std::map<std::string, std::string> metadata;
  bool metadata_generated = false;
  std::string message;
  std::optional<Memory> memory;
  std::vector<std::string> associations;

  static constexpr auto fields() {
    return level::fields(
        level::field("success", &MemoryStored::success, Level::minimal),
        level::field("memory_id", &MemoryStored::memory_id, Level::minimal)
            .describe("Handle for memory_get, memory_update and memory_delete"),
        level::field("created_at", &MemoryStored::created_at, Level::minimal),
        level::field("scope", &MemoryStored::scope, Level::minimal)
            .when(&MemoryStored::scope_changed),
        level::field("metadata", &MemoryStored::metadata, Level::minimal)
            .when([](const MemoryStored& stored) { return stored.metadata_generated; }),
        level::field("message", &MemoryStored::message, Level::standard),
        level::field("memory", &MemoryStored::memory, Level::full),
        level::field("associations", &MemoryStored::associations, Level::full));
  }
};

}  // namespace enfold::level::testing
