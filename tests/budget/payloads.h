// SPDX-License-Identifier: Apache-2.0
// Random payloads of the shapes that tools answer with: lists, maps, nested values, logs, texts.
#pragma once

#include "tests/budget/data_sets.h"

#include <string>
#include <vector>

namespace enfold::testing {

inline std::string odd_text(Dice& dice) {
  static const std::vector<std::string> texts{"",
                                              "ok",
                                              "line one\nline two\n",
                                              "say \"hi\" \\ back",
                                              "日本語のテキスト",
                                              "😀😀🏳️‍🌈",
                                              "\t\x01",
                                              "…[+12 bytes]",
                                              "2026-01-02",
                                              "error: disk full",
                                              "https://example.com/a/b?c=d",
                                              "\u2028"};
  std::string text = dice.pick(texts);
  if (dice.chance(40)) text += sentence(dice);
  if (dice.chance(15)) text += paragraph(dice, 1 + dice.below(12));
  if (dice.chance(5)) text += std::string(dice.below(600), 'x');
  if (dice.chance(5)) text += hex(dice, 40);
  if (dice.chance(4)) {
    for (std::size_t i = dice.below(200); i > 0; --i) text += dice.pick(texts);
  }
  return text;
}

inline void random_scalar(Dice& dice, json::Writer& w) {
  static const std::vector<std::string> numbers{"0",   "-1", "1.50", "1e3", "123456789012345678901",
                                                "0.1", "42"};
  switch (dice.below(6)) {
    case 0: w.null(); return;
    case 1: w.boolean(dice.chance(50)); return;
    case 2: w.number(dice.pick(numbers)); return;
    case 3: w.integer(static_cast<std::int64_t>(dice.below(100'000))); return;
    default: w.string(odd_text(dice));
  }
}

inline std::string odd_key(Dice& dice, std::size_t i) {
  static const std::vector<std::string> keys{"name",   "a/b~c",      "",      "items",  "Ünïcode",
                                             "status", "\"quoted\"", "count", "values", "n"};
  // A number makes it unique where it must be.
  return dice.chance(50) ? fmt::format("{}{}", dice.pick(keys), i) : fmt::format("key_{}", i);
}

/// Items of arrays carry a serial number, so that each can be told from the others.
inline void random_value(Dice& dice, json::Writer& w, int depth, std::size_t serial = SIZE_MAX) {
  const bool numbered = serial != SIZE_MAX;
  if (depth == 0 || dice.chance(45)) {
    if (!numbered) return random_scalar(dice, w);
    dice.chance(30) ? w.integer(static_cast<std::int64_t>(serial))
                    : w.string(fmt::format("#{} {}", serial, odd_text(dice)));
    return;
  }
  const std::size_t size = dice.chance(10) ? 20 + dice.below(40) : dice.below(6);
  if (dice.chance(50)) {
    w.begin_array();
    if (numbered) w.string(fmt::format("@{}:{}", depth, serial));
    for (std::size_t i = 0; i < size; ++i) random_value(dice, w, depth - 1, i);
    w.end_array();
    return;
  }
  w.begin_object();
  if (numbered) w.member("#", static_cast<std::int64_t>(serial));
  for (std::size_t i = 0; i < size; ++i) {
    w.key(odd_key(dice, i));
    random_value(dice, w, depth - 1);
  }
  w.end_object();
}

/// Items differ in a first member, so that each can be told from the others.
inline void random_list(Dice& dice, json::Writer& w, std::size_t count) {
  const std::size_t fields = 1 + dice.below(7);
  std::vector<std::string> names{dice.chance(50) ? "id" : "ref"};
  std::vector<std::size_t> kinds;
  for (std::size_t i = 0; i < fields; ++i) {
    names.push_back(odd_key(dice, i));
    kinds.push_back(dice.below(7));
  }
  const bool ragged = dice.chance(30);
  w.begin_array();
  for (std::size_t row = 0; row < count; ++row) {
    w.begin_object().member(names[0], static_cast<std::int64_t>(row * 3 + 17));
    for (std::size_t i = 0; i < fields; ++i) {
      if (ragged && dice.chance(20)) continue;
      w.key(names[i + 1]);
      switch (kinds[i]) {
        case 0: w.string(dice.chance(95) ? "ok" : "failed"); break;
        case 1: w.integer(static_cast<std::int64_t>(dice.below(1000))); break;
        case 2: w.string(sentence(dice)); break;
        case 3: w.string(hex(dice, 32)); break;
        case 4: random_value(dice, w, 2); break;
        case 5: w.string(moment(dice)); break;
        default: random_scalar(dice, w);
      }
    }
    w.end_object();
  }
  w.end_array();
}

inline std::string markdown_text(Dice& dice, std::size_t sections) {
  std::string text = "# Guide\n\n";
  for (std::size_t i = 0; i < sections; ++i) {
    text += fmt::format("## Section {}\n\n{}\n\n", i + 1, paragraph(dice, 3 + dice.below(6)));
  }
  return text;
}

inline std::string csv_text(Dice& dice, std::size_t rows) {
  std::string text = "id,name,amount\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += fmt::format("{},{},{}\n", i, hex(dice, 6), dice.below(10'000));
  }
  return text;
}

inline constexpr int kPayloadKinds = 11;

inline json::Value random_payload(int kind, std::size_t size, std::uint64_t seed) {
  Dice dice(seed);
  json::Writer w;
  switch (kind) {
    case 0: random_list(dice, w, size); break;
    case 1:
      w.begin_object().member("total", static_cast<std::int64_t>(size)).key("items");
      random_list(dice, w, size);
      w.member("cursor", hex(dice, 20)).end_object();
      break;
    case 2:
      w.begin_object().key("nodes");
      random_list(dice, w, size);
      w.key("edges");
      random_list(dice, w, size / 2);
      w.end_object();
      break;
    case 3: random_value(dice, w, 6); break;
    case 4: w.string(log_text(size, seed)); break;
    case 5: w.begin_object().member("content", log_text(size, seed)).end_object(); break;
    case 6: w.string(markdown_text(dice, size / 8 + 1)); break;
    case 7: w.string(dice.chance(50) ? csv_text(dice, size) : std::string(size * 60, 'a')); break;
    case 8:
      w.begin_object();
      for (std::size_t i = 0; i < size; ++i) {
        w.key(fmt::format("service-{}", i)).begin_object().member("image", hex(dice, 12));
        w.key("env");
        random_value(dice, w, 3);
        w.end_object();
      }
      w.end_object();
      break;
    case 9:
      w.begin_array();
      for (std::size_t i = 0; i < size; ++i) {
        w.string(fmt::format("{} {} {}", i, dice.chance(3) ? "ERROR" : "info", sentence(dice)));
      }
      w.end_array();
      break;
    default:  // one giant value deep inside
      w.begin_object().key("result").begin_array().begin_object().key("data").begin_object();
      w.member("text", paragraph(dice, size)).key("list");
      random_list(dice, w, size / 2);
      w.end_object().member("done", true).end_object().end_array().end_object();
  }
  return std::move(w).finish_value();
}

}  // namespace enfold::testing
