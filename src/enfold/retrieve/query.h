// SPDX-License-Identifier: Apache-2.0
// A query over an archived answer: one selection, optionally below a JSON Pointer. Parsed from
// command-line options or tool arguments by the same rules, which docs/reference/retrieval.md
// specifies, together with the language of conditions.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/json/number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::retrieve {

/// `exists` holds for a member that is there, even if it is null.
enum class Comparison { equal, not_equal, less, at_most, greater, at_least, contains, exists };

/// The kind of a literal. Quoted text is always text.
enum class LiteralKind { text, number, boolean, null };

struct Literal {
  std::string text;  ///< as written, without quotes and their escapes
  LiteralKind kind = LiteralKind::text;
  bool any_case = false;  ///< compares ignoring case; never parsed, only set by ConditionSearch
  friend bool operator==(const Literal&, const Literal&) = default;
};

struct Term {
  std::vector<std::string> path;  ///< member names from the record down; empty: the record itself
  Comparison comparison = Comparison::exists;
  Literal literal;  ///< unused by `exists`
  friend bool operator==(const Term&, const Term&) = default;
};

/// A tree: `all` is `and`, `any` is `or`, `negation` is `not`.
struct Condition {
  enum class Kind { term, all, any, negation };
  Kind kind = Kind::term;
  Term term;                     ///< used only if `kind` is term
  std::vector<Condition> parts;  ///< the operands; `negation` has one, a term none
  friend bool operator==(const Condition&, const Condition&) = default;
};

inline constexpr std::size_t kLongestCondition = 4096;  ///< bytes

/// Errors say what was expected at which character and what was found there.
[[nodiscard]] Result<Condition> parse_condition(std::string_view text);

using json::is_number_text;

/// A range of numbers of parts, both ends included; `last` nullopt: to the end. Lines are numbered
/// from 1, other parts from 0. Negative numbers count from the end: -1 is the last.
struct Span {
  std::int64_t first = 0;
  std::optional<std::int64_t> last;
  friend bool operator==(const Span&, const Span&) = default;
};
/// "3..17", "3..", "..17" (`first` is 0), "4", "-5.."; nullopt: the text is no range.
[[nodiscard]] std::optional<Span> read_span(std::string_view text);
[[nodiscard]] std::string to_text(const Span& span);
/// The part of the span that exists among `count` parts, as positions from 0. `from` is the number
/// of the first part: 1 for lines, else 0. nullopt: no part is in the span.
[[nodiscard]] std::optional<answer::Range> positions(const Span& span, std::size_t count,
                                                     std::size_t from);

namespace select {

/// The tool's whole result, unchanged. If it does not fit, it is shown in pages like select::At.
struct Whole {
  friend bool operator==(const Whole&, const Whole&) = default;
};
/// Records by id, or by the pointers that a cut answer lists in `dropped_content_ids`.
struct Ids {
  std::vector<std::string> ids;
  friend bool operator==(const Ids&, const Ids&) = default;
};
/// A JSON Pointer, in which a token may also be `*` or a range: "/items/18..499", "/items/*/id".
struct At {
  std::string pointer;
  friend bool operator==(const At&, const At&) = default;
};
/// Records of a list, numbered from 0: of the list at Query::within, else of the longest list. If a
/// text is at Query::within: its lines, numbered from 0.
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
/// Records with a key or text that contains the text, ignoring case, or a number or boolean that is
/// equal to it; or records in which a regular expression (RE2) matches a key or scalar.
struct Find {
  std::string text;
  bool is_pattern = false;
  std::size_t context = 0;  ///< lines shown before and after a line that was found
  friend bool operator==(const Find&, const Find&) = default;
};
/// Records that meet a condition.
struct Where {
  std::string text;  ///< the condition as the caller wrote it
  Condition condition;
  friend bool operator==(const Where&, const Where&) = default;
};
/// Rows of a SELECT over the tables of the answer, and over those of a second answer as `b.TABLE`.
struct Sql {
  std::string text;
  std::string second_answer;  ///< handle or hash of the second answer; may be empty
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

/// A default-constructed query selects the whole payload.
struct Query {
  Selection selection;
  std::string within;  ///< JSON Pointer below which the selection applies; unused by At and Whole
  bool raw_result = false;  ///< pointers refer to the tool's whole result, not to its payload
  bool count_only = false;  ///< the result is {"count": …}; a search also has "matches"
  friend bool operator==(const Query&, const Query&) = default;
};

/// The query as text, before it is parsed: command-line options, or arguments of `enfold_fetch`.
/// `pointer` alone is a selection; beside another selection it sets Query::within. Empty and
/// nullopt mean that the option is not given.
struct QueryOptions {
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;       ///< "3..17", or with a pointer "/items/3..17"
  std::optional<std::string> lines;       ///< a range, from 1
  std::optional<std::string> characters;  ///< a range, from 0
  std::optional<std::string> find;
  std::optional<std::string> regex;
  std::optional<std::size_t> context;  ///< only with `find` or `regex`: lines around each match
  std::optional<std::string> where;
  std::optional<std::string> sql;
  std::optional<std::string> second_answer;  ///< handle or hash of the answer that `sql` calls `b`
  bool count = false;                        ///< Query::count_only
  bool raw = false;   ///< Query::raw_result; without any other option: select::Whole
  bool stat = false;  ///< select::Stat
};
/// For command-line options: error messages name them as "--where".
[[nodiscard]] Result<Query> parse_query(const QueryOptions& options);

/// The names of the members that parse_arguments reads.
[[nodiscard]] std::span<const std::string_view> query_arguments();

/// Parses an object with members named like the options (`id`, `ids`, `chars` …). Other members are
/// an error, except `other_arguments`, which the caller reads itself.
[[nodiscard]] Result<Query> parse_arguments(json::View arguments,
                                            std::span<const std::string_view> other_arguments = {});

}  // namespace enfold::retrieve
