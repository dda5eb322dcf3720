// SPDX-License-Identifier: Apache-2.0
// The arguments that parse_arguments reads as a given query.
#pragma once

#include "enfold/json/write.h"
#include "enfold/retrieve/query.h"

#include <type_traits>
#include <variant>

namespace enfold::retrieve {

inline json::Value to_arguments(const Query& query) {
  json::Writer writer;
  writer.begin_object();
  const auto write = [&](const auto& chosen) {
    using Chosen = std::decay_t<decltype(chosen)>;
    if constexpr (std::is_same_v<Chosen, select::At>) {
      writer.member("pointer", chosen.pointer);
    } else if constexpr (std::is_same_v<Chosen, select::Whole>) {
      writer.member("raw", true);
    } else if constexpr (std::is_same_v<Chosen, select::Ids>) {
      writer.key("ids").begin_array();
      for (const std::string& id : chosen.ids) writer.string(id);
      writer.end_array();
    } else if constexpr (std::is_same_v<Chosen, select::Records>) {
      writer.member("range", to_text(chosen.range));
    } else if constexpr (std::is_same_v<Chosen, select::Lines>) {
      writer.member("lines", to_text(chosen.range));
    } else if constexpr (std::is_same_v<Chosen, select::Characters>) {
      writer.member("chars", to_text(chosen.range));
    } else if constexpr (std::is_same_v<Chosen, select::Find>) {
      writer.member(chosen.is_pattern ? "regex" : "find", chosen.text);
      if (chosen.context > 0) writer.member("context", chosen.context);
    } else if constexpr (std::is_same_v<Chosen, select::Where>) {
      writer.member("where", chosen.text);
    } else if constexpr (std::is_same_v<Chosen, select::Sql>) {
      writer.member("sql", chosen.text);
      if (!chosen.second_answer.empty()) writer.member("b", chosen.second_answer);
    } else {
      writer.member("stat", true);
    }
  };
  std::visit(write, query.selection);
  if (!query.within.empty()) writer.member("pointer", query.within);
  if (query.raw_result) writer.member("raw", true);
  if (query.count_only) writer.member("count", true);
  return std::move(writer.end_object()).finish_value();
}

}  // namespace enfold::retrieve
