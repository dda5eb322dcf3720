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

/// A member of records in every kind of which facts say something: few values in several spellings,
/// numbers, numbers as text, dates with the day first, values that a few records share, nested
/// lists. Now and then it is missing, null or of another type.
inline void odd_member(Dice& dice, json::Writer& w, std::size_t kind, std::size_t row) {
  static const std::vector<std::string> states{"open", "Open", "closed", "failed", "1", "null"};
  static const std::vector<std::string> dates{"31/02/2026", "never", "", "2026-01-01",
                                              "05/06/2026"};
  const auto two = [&](std::size_t most) { return fmt::format("{:02}", 1 + dice.below(most)); };
  if (dice.chance(2)) return random_scalar(dice, w);
  switch (kind) {
    case 0: w.string(states[dice.chance(80) ? dice.below(2) : dice.below(states.size())]); return;
    case 1: w.integer(static_cast<std::int64_t>(dice.below(dice.chance(50) ? 1'000 : 12))); return;
    case 2: w.number(fmt::format("{}.{}", dice.below(50), dice.below(100))); return;
    case 3:
      dice.chance(8) ? w.string("n/a") : w.string(fmt::format("{}", dice.below(10'000)));
      return;
    case 13:
      dice.chance(50) ? w.integer(static_cast<std::int64_t>(dice.below(999)))
                      : w.string(fmt::format("{},{:03}{}", 1 + dice.below(30), dice.below(1'000),
                                             dice.chance(80) ? ".50" : ""));
      return;
    case 14:
      w.begin_array();
      for (std::size_t i = dice.below(5); i > 0; --i) {
        w.begin_object().member("n", static_cast<std::int64_t>(dice.below(20))).end_object();
      }
      w.end_array();
      return;
    case 4: w.string(fmt::format("{}.{}", dice.below(3), dice.below(120))); return;
    case 5:
      w.string(dice.chance(2) ? dice.pick(dates) : fmt::format("{}/{}/2026", two(28), two(12)));
      return;
    case 6:
      w.string(dice.chance(2)
                   ? dice.pick(dates)
                   : fmt::format("{}.{}.2026 {}:{}", two(28), two(12), two(23), two(59)));
      return;
    case 7: w.string(dice.chance(3) ? dice.pick(dates) : moment(dice)); return;
    case 8: w.string(fmt::format("10.0.{}.{}", row, dice.chance(4) ? 0 : dice.below(250))); return;
    case 9: w.string(dice.chance(5) ? "10.0.0.1" : fmt::format("10.1.{}.{}", row, row)); return;
    case 10: w.integer(static_cast<std::int64_t>(row * 60 + (dice.chance(2) ? 30 : 0))); return;
    case 11:
      w.begin_array();
      for (std::size_t i = dice.below(dice.chance(10) ? 12 : 4); i > 0; --i) {
        w.begin_object().member("by", dice.pick(states)).key("size");
        random_scalar(dice, w);
        w.key("state").begin_object();
        if (dice.chance(30)) w.member("reason", dice.pick(states));
        w.end_object().end_object();
      }
      w.end_array();
      return;
    default:
      w.begin_array();
      for (std::size_t i = dice.below(5); i > 0; --i) w.string(dice.pick(states));
      w.end_array();
  }
}

/// A list of objects, a map of objects, or a list of short lists.
inline json::Value random_records(Dice& dice, std::size_t count) {
  std::vector<std::size_t> kinds;
  std::vector<std::size_t> gaps;  // percent of the records that lack the member
  for (std::size_t i = 2 + dice.below(7); i > 0; --i) {
    kinds.push_back(dice.below(15));
    gaps.push_back(dice.chance(70) ? 0 : dice.chance(50) ? 3 : 95);
  }
  const std::size_t shape = dice.below(4);  // 0: a map, 1: short lists
  const std::size_t id = dice.below(4);     // 0: none, 1: a repeated one
  const bool nested_id = dice.chance(30);
  json::Writer w;
  shape == 0 ? w.begin_object() : w.begin_array();
  for (std::size_t row = 0; row < count; ++row) {
    if (shape == 0) w.key(fmt::format("{}k{}", dice.chance(2) ? "#" : "", row));
    const std::size_t serial = id == 1 && dice.chance(5) ? 0 : row;
    if (shape == 1) {
      w.begin_array().integer(static_cast<std::int64_t>(100 + serial * 5));
    } else {
      w.begin_object();
      if (id > 0 && nested_id) w.key("meta").begin_object();
      if (id > 0) w.member("name", fmt::format("{}-{}", id == 3 ? "#" : "r", serial));
      if (id > 0 && nested_id) w.end_object();
      w.member("text", sentence(dice));
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (dice.below(100) < gaps[i] && shape != 1) continue;
      if (shape != 1) w.key(fmt::format("m{}", i));
      odd_member(dice, w, kinds[i], row);
    }
    shape == 1 ? w.end_array() : w.end_object();
  }
  shape == 0 ? w.end_object() : w.end_array();
  return std::move(w).finish_value();
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
