// SPDX-License-Identifier: Apache-2.0
// Answers that are larger than their budget, and what is needed to cut them.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/base/hash.h"

#include <string>

namespace enfold::answer {

inline json::Document large_answer(int items) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().end_array().key("structuredContent");
  writer.begin_object().member("total", std::int64_t{items}).key("items").begin_array();
  for (int i = 0; i < items; ++i) {
    writer.begin_object().member("id", std::int64_t{1000 + i});
    writer.member("title", "Item number " + std::to_string(i) + " of the list");
    writer.member("body", std::string(200, static_cast<char>('a' + i % 26))).end_object();
  }
  writer.end_array().end_object().end_object();
  return *json::parse(std::move(writer).finish().str());
}

/// Read and prepared in one step. `from` nullopt: detected.
inline Result<PreparedAnswer> prepare(const json::Document& answer,
                                      std::optional<contract::Id> from, const FitSettings& settings,
                                      const Call& call) {
  ENFOLD_TRY(ReadAnswer understood, read_answer(answer, from, settings.shape, call));
  return prepare(std::move(understood), settings);
}

inline Result<PreparedAnswer> prepare_text(std::string_view text, const FitSettings& settings,
                                           const Call& call) {
  return prepare(read_text_answer(text, settings.shape, call), settings);
}

inline Result<Receipt> receipt_for(const PreparedAnswer& prepared) {
  return Receipt{"000000000042", sha256_name(prepared.to_store())};
}

inline FitSettings with_budget(std::size_t tokens) {
  FitSettings settings;
  settings.budget.tokens = tokens;
  return settings;
}

inline json::Value text_block(const std::string& text) {
  json::Writer writer;
  writer.begin_object().member("type", "text").member("text", text).end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::answer
