// SPDX-License-Identifier: Apache-2.0
// Made-up tool payloads of the usual shapes, the same on every machine.
#pragma once

#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace enfold::testing {

/// A small generator of our own, because the standard distributions differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  bool chance(std::size_t of_hundred) { return below(100) < of_hundred; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

inline std::string sentence(Dice& dice) {
  static const std::vector<std::string> who{"The importer",   "A retry loop",     "The nightly job",
                                            "The login page", "The export",       "The webhook",
                                            "A worker",       "The search index", "The callback"};
  static const std::vector<std::string> does{
      "times out on", "sometimes returns", "duplicates",     "drops", "ignores", "logs twice",
      "caches",       "rejects",           "does not handle"};
  static const std::vector<std::string> what{
      "an empty answer",   "rows with emoji",  "a 502",
      "large attachments", "the second page",  "renamed columns",
      "expired sessions",  "a missing header", "quoted commas"};
  static const std::vector<std::string> when{"after the deploy",
                                             "when two users edit at once",
                                             "on Safari only",
                                             "if the cache is cold",
                                             "under load",
                                             "in staging",
                                             "since version 4.2",
                                             "behind the proxy",
                                             "when the queue is full"};
  return fmt::format("{} {} {} {}", dice.pick(who), dice.pick(does), dice.pick(what),
                     dice.pick(when));
}

inline std::string paragraph(Dice& dice, std::size_t sentences) {
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) text += sentence(dice) + ". ";
  return text;
}

inline std::string hex(Dice& dice, std::size_t digits) {
  std::string text;
  while (text.size() < digits) text += "0123456789abcdef"[dice.below(16)];
  return text;
}

inline std::string moment(Dice& dice) {
  return fmt::format("2025-{:02}-{:02}T{:02}:{:02}:{:02}Z", 1 + dice.below(12), 1 + dice.below(28),
                     dice.below(24), dice.below(60), dice.below(60));
}

/// An issue tracker's list: twenty members an item, nested, long texts.
inline json::Value issues(std::size_t count, std::uint64_t seed = 7) {
  static const std::vector<std::string> names{"amara", "bjorn", "chidi", "dolores", "emeka",
                                              "farah", "goran", "hana",  "ivo",     "jun"};
  static const std::vector<std::string> labels{"bug",     "p1",    "p2",   "ui",
                                               "backend", "flaky", "docs", "security"};
  Dice dice(seed);
  json::Writer w;
  w.begin_object().member("repository", "acme/warehouse");
  w.member("total_count", static_cast<std::int64_t>(count)).key("items").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(4000 + i);
    w.begin_object();
    w.member("id", static_cast<std::int64_t>(1'800'000'000 + i * 137 + dice.below(90)));
    w.member("number", number).member("node_id", "I_" + hex(dice, 18));
    w.member("title", fmt::format("{} ({})", sentence(dice), hex(dice, 4)));
    w.member("state", dice.chance(70) ? "open" : "closed").key("state_reason").null();
    w.member("locked", false).key("labels").begin_array();
    for (std::size_t n = dice.below(4); n > 0; --n) w.string(dice.pick(labels));
    w.end_array().key("user").begin_object().member("login", dice.pick(names));
    w.member("id", static_cast<std::int64_t>(1000 + dice.below(9000))).member("type", "User");
    w.end_object().key("assignee");
    dice.chance(60) ? w.string(dice.pick(names)) : w.null();
    w.key("milestone").null().member("comments", static_cast<std::int64_t>(dice.below(40)));
    w.member("created_at", moment(dice)).member("updated_at", moment(dice));
    w.member("url", fmt::format("https://api.example.com/repos/acme/warehouse/issues/{}", number));
    std::string body = paragraph(dice, 1 + dice.below(6));
    if (i == 377) body += "Note: coolant pump 7B leaked on the test bench.";
    w.member("body", body);
    w.key("score").number(fmt::format("0.{:04}", i == 311 ? 9999 : dice.below(9990)));
    w.end_object();
  }
  w.end_array().end_object();
  return std::move(w).finish_value();
}

/// Flat rows of a table, all alike.
inline json::Value staff(std::size_t count, std::uint64_t seed = 3) {
  static const std::vector<std::string> first{"Ana", "Ben", "Cho", "Dia", "Eli", "Fay", "Gus"};
  static const std::vector<std::string> last{"Abara", "Berg", "Cruz", "Dunn", "Endo", "Falk"};
  static const std::vector<std::string> places{"Lisbon", "Osaka", "Nairobi", "Quito", "Tallinn"};
  static const std::vector<std::string> teams{"sales", "support", "engineering", "legal"};
  Dice dice(seed);
  json::Writer w;
  w.begin_object().key("rows").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    w.begin_object().member("id", static_cast<std::int64_t>(1001 + i));
    w.member("name", fmt::format("{} {}", dice.pick(first), dice.pick(last)));
    w.member("email", fmt::format("{}@example.com", hex(dice, 6)));
    w.member("department", dice.pick(teams)).member("city", dice.pick(places));
    w.member("salary", static_cast<std::int64_t>(30'000 + dice.below(90'000)));
    w.member("active", dice.chance(90));
    w.member("hired", moment(dice).substr(0, 10)).end_object();
  }
  w.end_array().end_object();
  return std::move(w).finish_value();
}

/// Shipments in a warehouse: other names, other types, wrapped once, ids that are words.
inline json::Value shipments(std::size_t count, std::uint64_t seed = 21) {
  static const std::vector<std::string> harbours{"Rotterdam", "Santos", "Busan",  "Durban",
                                                 "Gdansk",    "Callao", "Mombasa"};
  static const std::vector<std::string> goods{"ball bearings",   "green coffee",  "wind blades",
                                              "tinned sardines", "cotton bales",  "piano frames",
                                              "solar glass",     "bicycle chains"};
  Dice dice(seed);
  json::Writer w;
  w.begin_object().key("result").begin_object().member("port", "Hamburg");
  w.member("matched", static_cast<std::int64_t>(count)).key("shipments").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    w.begin_object();
    w.member("reference", fmt::format("HH-{:04}-{}", i * 7 % 10'000, hex(dice, 2)));
    w.member("description", fmt::format("{} crates of {}, lot {}", 2 + dice.below(90),
                                        dice.pick(goods), hex(dice, 5)));
    w.member("origin", dice.pick(harbours));
    w.member("status", i == 142 || i == 390 ? "customs_failed"
                       : dice.chance(40)    ? "in_transit"
                       : dice.chance(50)    ? "arrived"
                                            : "released");
    w.key("weight_kg")
        .number(i == 207 ? "98765.4"
                         : fmt::format("{}.{}", 100 + dice.below(20'000), 1 + dice.below(9)));
    w.member("arrival", moment(dice)).member("fragile", dice.chance(20));
    w.key("customs").begin_object().member("code", fmt::format("{}", 1000 + dice.below(9000)));
    w.member("duty", static_cast<std::int64_t>(dice.below(500))).end_object();
    std::string note = paragraph(dice, 1 + dice.below(3));
    if (i == 263) note += "The brass telescope is in crate nine.";
    w.member("note", note).member("carrier", "Nordlicht Line").end_object();
  }
  w.end_array().end_object().end_object();
  return std::move(w).finish_value();
}

inline std::string log_text(std::size_t lines, std::uint64_t seed = 11) {
  static const std::vector<std::string> verbs{"GET", "POST", "PUT"};
  Dice dice(seed);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    text += fmt::format("2026-02-03T04:{:02}:{:02}.{:03}Z ", i / 60 % 60, i % 60, dice.below(1000));
    text += i % 97 == 96 ? fmt::format("ERROR code=E_{} {}\n", 1000 + i, sentence(dice))
                         : fmt::format("INFO {} /v1/orders/{} 200 {}ms\n", dice.pick(verbs),
                                       dice.below(99'999), dice.below(800));
  }
  return text;
}

}  // namespace enfold::testing
