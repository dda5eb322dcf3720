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
    return level::fields(level::field<&Memory::id>(),
                         level::field<&Memory::scope>().from_level(Level::standard),
                         level::field<&Memory::content>().preview(100),
                         level::field<&Memory::tags>().from_level(Level::full));
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
    return level::fields(level::field<&MemoryStored::success>(),
                         level::field<&MemoryStored::memory_id>().describe(
                             "Handle for memory_get, memory_update and memory_delete"),
                         level::field<&MemoryStored::created_at>(),
                         level::field<&MemoryStored::scope>().when(&MemoryStored::scope_changed),
                         level::field<&MemoryStored::metadata>().when(
                             [](const MemoryStored& stored) { return stored.metadata_generated; }),
                         level::field<&MemoryStored::message>().from_level(Level::standard),
                         level::field<&MemoryStored::memory>().from_level(Level::full),
                         level::field<&MemoryStored::associations>().from_level(Level::full));
  }
};

}  // namespace enfold::level::testing
