// SPDX-License-Identifier: Apache-2.0
#include "rows.h"

#include "enfold/contract/legacy/flags.h"
#include "enfold/json/document.h"

#include <chrono>
#include <fmt/core.h>
#include <random>
#include <sstream>

namespace memory {
namespace {

std::vector<std::string> read_tags(const std::string& lines) {
  std::vector<std::string> tags;
  std::istringstream input(lines);
  for (std::string tag; std::getline(input, tag);) {
    if (!tag.empty()) tags.push_back(tag);
  }
  return tags;
}

std::map<std::string, std::string> read_metadata(const std::string& text) {
  std::map<std::string, std::string> metadata;
  const auto document = enfold::json::parse(text);
  if (!document) return metadata;
  for (const enfold::json::Member& member : document->root().members()) {
    metadata[member.key.string()] = member.value.string();
  }
  return metadata;
}

}  // namespace

Memory read_memory(const Row& row) {
  Memory memory;
  memory.id = row.text(0);
  memory.content = row.text(1);
  memory.scope = row.text(2);
  memory.category = row.text(3);
  memory.tags = read_tags(row.text(4));
  memory.metadata = read_metadata(row.text(5));
  memory.created_at = time_text(row.number(6));
  memory.updated_at = time_text(row.number(7));
  memory.revision = row.number(8);
  return memory;
}

std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string time_text(std::int64_t milliseconds) {
  std::string text = enfold::contract::format_time(milliseconds / 1000);
  text.insert(19, fmt::format(".{:03}", milliseconds % 1000));
  return text;
}

std::string new_id() {
  static thread_local std::random_device chance;
  return fmt::format("mem_{:08x}{:08x}", chance(), chance());
}

}  // namespace memory
