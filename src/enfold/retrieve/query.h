// SPDX-License-Identifier: Apache-2.0
// What somebody wants of an archived answer: exactly one selection, perhaps within one place of it.
// Read from command-line options or from a tool's arguments, by the same rules.
// docs/reference/retrieval.md is the specification.
#pragma once

#include "enfold/answer/places.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/retrieve/condition.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::retrieve {

namespace select {

/// The archived bytes as they are.
struct Whole {
  friend bool operator==(const Whole&, const Whole&) = default;
};
/// Records by their id; every string of `dropped_content_ids` will do.
struct Ids {
  std::vector<std::string> ids;
  friend bool operator==(const Ids&, const Ids&) = default;
};
/// A JSON Pointer, in which a token may also be `*` or a range: "/items/18..499", "/items/*/id".
struct At {
  std::string pointer;
  friend bool operator==(const At&, const At&) = default;
};
/// Records of a list, from 0.
struct Records {
  answer::Range range;
  friend bool operator==(const Records&, const Records&) = default;
};
/// Lines of a text, from 1.
struct Lines {
  answer::Range range;
  friend bool operator==(const Lines&, const Lines&) = default;
};
/// Characters of a text, from 0.
struct Characters {
  answer::Range range;
  friend bool operator==(const Characters&, const Characters&) = default;
};
/// Records in which a key or a string holds the text, in any case.
struct Find {
  std::string text;
  friend bool operator==(const Find&, const Find&) = default;
};
/// Records of which the condition is true.
struct Where {
  std::string text;
  Condition condition;
  friend bool operator==(const Where&, const Where&) = default;
};
/// What there is, without showing it.
struct Stat {
  friend bool operator==(const Stat&, const Stat&) = default;
};

}  // namespace select

using Selection =
    std::variant<select::At, select::Whole, select::Ids, select::Records, select::Lines,
                 select::Characters, select::Find, select::Where, select::Stat>;

/// The default asks for all of the payload.
struct Query {
  Selection selection;
  std::string within;       ///< JSON Pointer to where the selection looks; unused by At and Whole
  bool raw_result = false;  ///< places are those of the tool's whole result, not of its payload
  friend bool operator==(const Query&, const Query&) = default;
};

/// As a command line gives them; `pointer` alone selects, beside another selection it says where.
struct QueryOptions {
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;  ///< "3..17", or with its place "/items/3..17"
  std::optional<std::string> lines;
  std::optional<std::string> characters;
  std::optional<std::string> find;
  std::optional<std::string> where;
  bool raw = false;
  bool stat = false;
};
[[nodiscard]] Result<Query> parse_query(const QueryOptions& options);

/// The names of the members that parse_arguments reads.
[[nodiscard]] std::span<const std::string_view> query_arguments();

/// An object with members named as the options (`id`, `ids`, `chars` …). Any other member is an
/// error, unless it is one of `others`, which are not looked at.
[[nodiscard]] Result<Query> parse_arguments(json::View arguments,
                                            std::span<const std::string_view> others = {});

/// The arguments that parse_arguments reads as this query.
[[nodiscard]] json::Value to_arguments(const Query& query);

}  // namespace enfold::retrieve
