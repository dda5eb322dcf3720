// SPDX-License-Identifier: Apache-2.0
// The answers of tests/golden/envelopes: envelopes that are nearly right.
#pragma once

#include "enfold/json/write.h"
#include "tests/support/goldens.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::testing {

struct NearEnvelope {
  std::string name;
  std::string answer;
  std::optional<std::string> from;
  std::string contract;
  std::string outcome;
  std::string code;     ///< empty: any
  std::string message;  ///< empty: any
  std::vector<std::string> violations;
  bool contradiction = false;
  std::vector<std::string> kept;

  /// Whether a tool's result with this text is read as the contract. Of data inside a result,
  /// Enfold does not ask whether it is memory: any tool may answer with `success`.
  [[nodiscard]] bool is_detected_in_result() const { return !from && contract != "memory"; }

  /// As the only text of an MCP result.
  [[nodiscard]] json::Value as_result() const {
    json::Writer writer;
    writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
    writer.member("text", answer).end_object().end_array().end_object();
    return std::move(writer).finish_value();
  }
};

[[nodiscard]] inline std::vector<NearEnvelope> near_envelopes() {
  const auto file = std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/envelopes/near.json";
  const auto document = json::parse(read_file(file));
  std::vector<NearEnvelope> all;
  for (const json::View one : document->root().items()) {
    const auto text = [&](std::string_view key) {
      return json::string_member(one, key).value_or("");
    };
    const auto texts = [&](std::string_view key) {
      std::vector<std::string> list;
      for (const json::View item : one.find(key).value_or(json::View()).items()) {
        list.push_back(item.string());
      }
      return list;
    };
    all.push_back({.name = text("name"),
                   .answer = text("answer"),
                   .from = json::string_member(one, "from"),
                   .contract = text("contract"),
                   .outcome = text("outcome"),
                   .code = text("code"),
                   .message = text("message"),
                   .violations = texts("violations"),
                   .contradiction = one.find("contradiction").has_value(),
                   .kept = texts("kept")});
  }
  return all;
}

}  // namespace enfold::testing
