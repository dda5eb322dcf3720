// SPDX-License-Identifier: Apache-2.0
// A query over an archived answer: one selection, optionally below a JSON Pointer, and the language
// of its conditions. Parsed from command-line options or tool arguments by the same rules, which
// docs/reference/retrieval.md specifies.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::retrieve {

enum class Comparison { equal, not_equal, less, at_most, greater, at_least, contains, exists };

/// The kind of a literal. Quoted text is always text.
enum class LiteralKind { text, number, boolean, null };

struct Literal {
  std::string text;
  LiteralKind kind = LiteralKind::text;
  bool any_case = false;  ///< texts are compared ignoring case
  friend bool operator==(const Literal&, const Literal&) = default;
};

struct Term {
  std::vector<std::string> path;  ///< empty: the record itself
  Comparison comparison = Comparison::exists;
  Literal literal;  ///< unused by `exists`
  friend bool operator==(const Term&, const Term&) = default;
};

struct Condition {
  enum class Kind { term, all, any, negation };
  Kind kind = Kind::term;
  Term term;                     ///< only of a term
  std::vector<Condition> parts;  ///< the operands of and, or, not
  friend bool operator==(const Condition&, const Condition&) = default;
};

inline constexpr std::size_t kLongestCondition = 4096;

/// Errors say what was expected at which character and what was found there.
[[nodiscard]] Result<Condition> parse_condition(std::string_view text);

/// Whether the text is a JSON number.
[[nodiscard]] bool is_number_text(std::string_view text);

/// A range of positions, both ends included; `last` nullopt: to the end. Negative positions count
/// from the end: -1 is the last.
struct Span {
  std::int64_t first = 0;
  std::optional<std::int64_t> last;
  friend bool operator==(const Span&, const Span&) = default;
};
/// "3..17", "3..", "..17", "4", "-5..".
[[nodiscard]] std::optional<Span> read_span(std::string_view text);
[[nodiscard]] std::string to_text(const Span& span);
/// The positions from 0 that a span means among `count` parts, of which the first is number `from`;
/// nullopt: there are none.
[[nodiscard]] std::optional<answer::Range> positions(const Span& span, std::size_t count,
                                                     std::size_t from);

namespace select {

/// The archived bytes, unchanged.
struct Whole {
  friend bool operator==(const Whole&, const Whole&) = default;
};
/// Records by id, or by the pointers in `dropped_content_ids`.
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
  Span range;
  friend bool operator==(const Records&, const Records&) = default;
};
/// Lines of a text, from 1.
struct Lines {
  Span range;
  friend bool operator==(const Lines&, const Lines&) = default;
};
/// Characters of a text, from 0.
struct Characters {
  Span range;
  friend bool operator==(const Characters&, const Characters&) = default;
};
/// Records with a key or scalar that contains the text, ignoring case, or in which a regular
/// expression (RE2) matches.
struct Find {
  std::string text;
  bool is_pattern = false;
  std::size_t context = 0;  ///< lines shown before and after a line that was found
  friend bool operator==(const Find&, const Find&) = default;
};
/// Records that meet the condition.
struct Where {
  std::string text;
  Condition condition;
  friend bool operator==(const Where&, const Where&) = default;
};
/// Rows of a SELECT over the tables of the answer, and of a second one as `b.TABLE`.
struct Sql {
  std::string text;
  std::string second;  ///< handle or hash of the second answer; may be empty
  friend bool operator==(const Sql&, const Sql&) = default;
};
/// Statistics: kind, size and lists of the value, without its content.
struct Stat {
  friend bool operator==(const Stat&, const Stat&) = default;
};

}  // namespace select

using Selection =
    std::variant<select::At, select::Whole, select::Ids, select::Records, select::Lines,
                 select::Characters, select::Find, select::Where, select::Stat, select::Sql>;

/// The default selects the whole payload.
struct Query {
  Selection selection;
  std::string within;  ///< JSON Pointer below which the selection applies; unused by At and Whole
  bool raw_result = false;  ///< pointers refer to the tool's whole result, not to its payload
  bool count_only = false;  ///< the number of selected parts, without them
  friend bool operator==(const Query&, const Query&) = default;
};

/// Command-line options. `pointer` alone is a selection; with another one it sets `within`.
struct QueryOptions {
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;  ///< "3..17", or with a pointer "/items/3..17"
  std::optional<std::string> lines;
  std::optional<std::string> characters;
  std::optional<std::string> find;
  std::optional<std::string> regex;
  std::optional<std::size_t> context;  ///< beside `find` and `regex`
  std::optional<std::string> where;
  std::optional<std::string> sql;
  std::optional<std::string> second;  ///< the answer that `sql` calls `b`
  bool count = false;
  bool raw = false;
  bool stat = false;
};
[[nodiscard]] Result<Query> parse_query(const QueryOptions& options);

/// The names of the members that parse_arguments reads.
[[nodiscard]] std::span<const std::string_view> query_arguments();

/// Parses an object with members named like the options (`id`, `ids`, `chars` …). Other members are
/// an error, except `other_arguments`, which the caller reads itself.
[[nodiscard]] Result<Query> parse_arguments(json::View arguments,
                                            std::span<const std::string_view> other_arguments = {});

}  // namespace enfold::retrieve
