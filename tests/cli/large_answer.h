// SPDX-License-Identifier: Apache-2.0
// Answers that are larger than any budget of the tests.
#pragma once

#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <string>

namespace enfold::cli {

/// An MCP result with `count` items of a hundred bytes and more; other seeds, other bytes.
inline std::string large_answer(int count, int seed = 0) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().end_array().key("structuredContent");
  writer.begin_object().member("total", std::int64_t{count}).key("items").begin_array();
  for (int i = 0; i < count; ++i) {
    writer.begin_object().member("id", std::int64_t{1000 + i});
    writer.member("title", "Item " + std::to_string(i) + " of answer " + std::to_string(seed));
    writer.member("state", i % 3 == 0 ? "open" : "closed");
    writer.member("body", std::string(80, static_cast<char>('a' + (i + seed) % 26))).end_object();
  }
  writer.end_array().end_object().end_object();
  return std::move(writer).finish().str();
}

/// The handle in the meta of an envelope of response-v2; empty when nothing was left out.
inline std::string handle_in(const std::string& envelope) {
  const auto document = json::parse(envelope);
  const auto meta = document ? document->root().find("meta") : std::nullopt;
  const auto hashes = meta ? meta->find("content_archive_hashes") : std::nullopt;
  if (!hashes || hashes->size() != 1) return "";
  return (*hashes->members().begin()).key.string();
}

}  // namespace enfold::cli
