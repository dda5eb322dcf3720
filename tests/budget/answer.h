// SPDX-License-Identifier: Apache-2.0
// A complete answer around a fitted payload, as a contract would write it, and its measure.
#pragma once

#include "enfold/base/text.h"
#include "enfold/budget/fit.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <string>

namespace enfold::testing {

inline void write_strings(json::Writer& writer, std::string_view key,
                          const std::vector<std::string>& strings) {
  if (strings.empty()) return;
  writer.key(key).begin_array();
  for (const std::string& text : strings) writer.string(text);
  writer.end_array();
}

/// What says that something was left out, and the way back: nothing else of the answer.
inline void write_report(json::Writer& writer, const budget::FitResult& fitted) {
  writer.member("content_fidelity", model::name(fitted.fidelity));
  writer.member("content_fidelity_schema_version", "1.0");
  write_strings(writer, "dropped_content_ids", fitted.dropped);
  writer.member("dropped_count", static_cast<std::int64_t>(fitted.dropped_count));
  write_strings(writer, "briefed", fitted.briefed);
  write_strings(writer, "clipped", fitted.clipped);
  write_strings(writer, "columnar", fitted.columnar);
  writer.key("content_archive_hashes").begin_object();
  writer.member("492718305561",
                "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0");
  writer.end_object();
  writer.key("warnings").begin_array().string("CONTENT_TRUNCATED").end_array();
  if (fitted.schema_note) writer.member("schema_note", *fitted.schema_note);
}

[[nodiscard]] inline std::string answer_text(const budget::FitResult& fitted) {
  json::Writer writer;
  writer.begin_object().member("success", true).key("data").value(fitted.payload);
  writer.key("error").null().key("meta").begin_object().member("version", "response-v2");
  if (fitted.fidelity != model::Fidelity::full) {
    write_report(writer, fitted);
    if (fitted.facts) writer.member("facts", *fitted.facts);
    if (fitted.index) writer.member("index", *fitted.index);
  }
  writer.end_object().end_object();
  return std::move(writer).finish().str();
}

[[nodiscard]] inline budget::Size size_of(const std::string& text,
                                          const token::Tokenizer& tokenizer) {
  return {tokenizer.count(text), utf8::length(text),
          1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'))};
}

[[nodiscard]] inline budget::Measure measure_with(const token::Tokenizer& tokenizer) {
  return [&tokenizer](const budget::FitResult& fitted) {
    return size_of(answer_text(fitted), tokenizer);
  };
}

[[nodiscard]] inline Result<budget::FitResult> fit_to(
    json::View payload, std::size_t tokens, const budget::Policy& policy = {},
    const budget::OutputSchema* schema = nullptr) {
  const token::Tokenizer& tokenizer = token::o200k_base();
  return budget::fit(payload, {tokens, 1'000'000, std::nullopt}, policy, schema, tokenizer,
                     measure_with(tokenizer));
}

}  // namespace enfold::testing
