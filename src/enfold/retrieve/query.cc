// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/query.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/sql/sql.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <re2/re2.h>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kLongestText = 4096;  // bytes of one option
constexpr std::size_t kMostIds = 1000;
constexpr std::size_t kMostContext = 100;  // lines before and after a match; more are cut to this
constexpr std::array<std::string_view, 15> kArguments{
    "sql",  "b",     "id",      "ids",   "pointer", "range", "lines", "chars",
    "find", "regex", "context", "where", "count",   "raw",   "stat"};

/// How messages spell the names of options: "--where" or "where".
struct Spelling {
  std::string_view prefix;
  [[nodiscard]] std::string operator()(std::string_view name) const {
    return fmt::format("{}{}", prefix, name);
  }
};

/// `name`: of the option, for messages.
Status check_text(const std::optional<std::string>& text, const std::string& name) {
  if (!text) return {};
  if (text->size() > kLongestText) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} bytes, found {}", kLongestText, text->size()),
                name, "shorten it: part of the name or text is enough");
  }
  if (const auto at = utf8::first_invalid(*text)) {
    return fail(ErrorCode::invalid_input, "expected UTF-8 text",
                fmt::format("byte {} of {}", *at, name), "convert the text to UTF-8");
  }
  return {};
}

std::optional<std::int64_t> read_position(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ptr != end || read.ec == std::errc::invalid_argument)
    return std::nullopt;
  if (read.ec == std::errc()) return value;
  // Too large for 64 bits: beyond the end of any answer.
  return text.starts_with('-') ? INT64_MIN : INT64_MAX;
}

tl::unexpected<Error> refuse_range(const std::string& name, std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool is_dashed =  // "18-499"
      dash != std::string_view::npos && dash > 0 &&
      answer::read_range(fmt::format("{}..{}", text.substr(0, dash), text.substr(dash + 1)));
  std::string hint = "write FIRST..LAST, both included, for example 18..499";
  if (is_dashed) hint = fmt::format("write {}..{}", text.substr(0, dash), text.substr(dash + 1));
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a range such as 18..499, found {}", json::quote(text)), name,
              std::move(hint));
}

// `first_number`: the number of the first part, 1 for lines, else 0.
Result<Span> parse_range(const std::string& name, std::string_view text,
                         std::int64_t first_number) {
  std::optional<Span> span = read_span(text);
  if (!span) return refuse_range(name, text);
  if (text.starts_with("..")) span->first = first_number;
  // Numbers from different ends can be compared only with the number of parts.
  const bool is_comparable = span->last && (*span->last < 0) == (span->first < 0);
  if (is_comparable && *span->last < span->first) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a range that ends at or after its beginning, found {}", text),
                name,
                fmt::format("write {}..{}",
                            span->first < 0 ? *span->last : std::max(*span->last, first_number),
                            span->first));
  }
  if (first_number == 1 && span->first == 0) {
    return fail(ErrorCode::invalid_input, fmt::format("expected lines from 1, found {}", text),
                name, "the first line is 1, the last is -1");
  }
  return *span;
}

Status check_pattern(const std::string& text, const std::string& name) {
  const RE2 pattern(text, RE2::Quiet);
  if (pattern.ok()) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a regular expression of RE2, found {}: {}", json::quote(text),
                          pattern.error()),
              name, "put a backslash before ( ) [ ] { } . * + ? | ^ $, or use find for a text");
}

Status check_pointer(const std::string& name, const std::string& text) {
  const Result<json::Pointer> pointer = json::Pointer::parse(text);
  if (pointer) return {};
  Error error = pointer.error();
  error.where = name;
  if (!text.starts_with('/') && !text.starts_with('#')) {
    std::string guess = "/" + text;
    std::replace(guess.begin(), guess.end(), '.', '/');
    error.hint = fmt::format("write {}", guess);
  }
  return tl::unexpected(std::move(error));
}

/// A range of records. The pointer of their list is in front of it ("/items/3..17") or in
/// `options.pointer`. At does not take numbers from the end ("/items/-5.."), so such a range
/// becomes Records with the list in `within`.
Result<Selection> range_selection(const QueryOptions& options, const std::string& name,
                                  std::string& within) {
  const std::string& text = *options.range;
  const std::size_t slash = text.starts_with('/') ? text.rfind('/') : std::string::npos;
  const std::string_view numbers = slash == std::string::npos
                                       ? std::string_view(text)
                                       : std::string_view(text).substr(slash + 1);
  ENFOLD_TRY(const Span span, parse_range(name, numbers, /*first_number=*/0));
  if (slash == std::string::npos) return select::Records{span};
  if (options.pointer) {
    return fail(ErrorCode::invalid_input,
                "expected one place, found a pointer in the range and another one", name,
                fmt::format("leave one of them out: {} or {}", text, *options.pointer));
  }
  ENFOLD_TRY(check_pointer(name, text));
  const bool is_from_end = span.first < 0 || span.last.value_or(0) < 0;
  if (!is_from_end) return select::At{text};
  within = text.substr(0, slash);
  return select::Records{span};
}

Result<Selection> find_selection(const QueryOptions& options, bool is_pattern,
                                 const std::string& name) {
  const std::string& text = is_pattern ? *options.regex : *options.find;
  if (text.empty()) {
    return fail(ErrorCode::invalid_input, "expected a text to look for, found none", name,
                "leave it out to get all");
  }
  if (is_pattern) ENFOLD_TRY(check_pattern(text, name));
  return select::Find{text, is_pattern, std::min(options.context.value_or(0), kMostContext)};
}

Result<Selection> ids_selection(const std::vector<std::string>& ids, const std::string& name) {
  if (ids.size() > kMostIds) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} ids, found {}", kMostIds, ids.size()), name,
                "ask for them in several calls, or for a range");
  }
  for (const std::string& id : ids) {
    ENFOLD_TRY(check_text(id, name));
  }
  return select::Ids{ids};
}

// `chosen`: the name of the one option that selects. Sets `within` if a range has a pointer in it.
Result<Selection> selection_named(std::string_view chosen, const QueryOptions& options,
                                  Spelling spelled, std::string& within) {
  const std::string name = spelled(chosen);
  if (chosen == "id") return ids_selection(options.ids, name);
  if (chosen == "range") return range_selection(options, name, within);
  if (chosen == "stat") return select::Stat{};
  if (chosen == "sql") return select::Sql{*options.sql, options.second_answer.value_or("")};
  if (chosen == "lines" || chosen == "chars") {
    const bool lines = chosen == "lines";
    ENFOLD_TRY(const Span range,
               parse_range(name, lines ? *options.lines : *options.characters, lines ? 1 : 0));
    return lines ? Selection(select::Lines{range}) : Selection(select::Characters{range});
  }
  if (chosen == "find" || chosen == "regex") {
    return find_selection(options, chosen == "regex", name);
  }
  ENFOLD_TRY(Condition condition, parse_condition(*options.where));
  return select::Where{*options.where, std::move(condition)};
}

/// The query of the options, which may not contradict each other.
Result<Query> build(const QueryOptions& options, Spelling spelled) {
  std::vector<std::string_view> given;
  if (options.sql) given.emplace_back("sql");
  if (!options.ids.empty()) given.emplace_back("id");
  if (options.range) given.emplace_back("range");
  if (options.lines) given.emplace_back("lines");
  if (options.characters) given.emplace_back("chars");
  if (options.find) given.emplace_back("find");
  if (options.regex) given.emplace_back("regex");
  if (options.where) given.emplace_back("where");
  if (options.stat) given.emplace_back("stat");
  if (given.size() > 1) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected one selection, found {} and {}", spelled(given[0]),
                            spelled(given[1])),
                {}, "ask for one at a time; a pointer may stand beside any of them");
  }
  if (options.second_answer && !options.sql) {
    return fail(ErrorCode::invalid_input, "expected sql beside a second answer, found none",
                spelled("b"), "its tables are b.TABLE in a statement");
  }
  if (options.context && !options.find && !options.regex) {
    return fail(ErrorCode::invalid_input, "expected find or regex beside context, found neither",
                spelled("context"), "it is the number of lines around each line that is found");
  }
  for (const auto& [text, name] :
       {std::pair(&options.pointer, "pointer"), std::pair(&options.range, "range"),
        std::pair(&options.find, "find"), std::pair(&options.regex, "regex")}) {
    ENFOLD_TRY(check_text(*text, spelled(name)));
  }
  if (options.pointer) {
    ENFOLD_TRY(check_pointer(spelled("pointer"), *options.pointer));
  }
  Query query{.raw_result = options.raw, .count_only = options.count};
  // Without a selection the query is for the payload, or for the part at the pointer. `raw` alone
  // means the tool's whole result; with a pointer, the pointer refers to that result.
  if (given.empty()) {
    query.selection = select::At{options.pointer.value_or("")};
    if (options.raw && !options.pointer && !options.count) query = {.selection = select::Whole{}};
    return query;
  }
  query.within = options.pointer.value_or("");
  ENFOLD_TRY(query.selection, selection_named(given[0], options, spelled, query.within));
  return query;
}

tl::unexpected<Error> wrong_type(std::string_view name, std::string_view expected,
                                 json::View found) {
  return fail(ErrorCode::invalid_input,
              fmt::format("expected {}, found {}", expected, json::name(found.kind())),
              fmt::format("argument {}", name),
              fmt::format("send {} as {}, or leave it out", name, expected));
}

Status add_id(json::View value, std::string_view name, std::vector<std::string>& ids) {
  if (value.is_string()) {
    ids.push_back(value.string());
  } else if (value.is_number()) {
    ids.emplace_back(value.number());
  } else {
    return wrong_type(name, "a string or a number", value);
  }
  return {};
}

Status read_ids(json::View value, std::string_view name, std::vector<std::string>& ids) {
  if (!value.is_array()) return add_id(value, name, ids);
  if (value.size() == 0) {
    return fail(ErrorCode::invalid_input, "expected at least one id, found an empty list",
                fmt::format("argument {}", name),
                "name the ids of records, or leave it out to get all");
  }
  for (const json::View item : value.items()) {
    ENFOLD_TRY(add_id(item, name, ids));
  }
  return {};
}

Status read_argument(std::string_view name, json::View value, QueryOptions& options) {
  if (name == "id" || name == "ids") return read_ids(value, name, options.ids);
  if (name == "raw" || name == "stat" || name == "count") {
    if (!value.is_boolean()) return wrong_type(name, "true or false", value);
    (name == "raw" ? options.raw : name == "stat" ? options.stat : options.count) = value.boolean();
    return {};
  }
  if (name == "context") {
    const auto lines = value.integer();
    if (!lines || *lines < 0) return wrong_type(name, "a number of lines", value);
    options.context = static_cast<std::size_t>(*lines);
    return {};
  }
  if (!value.is_string()) return wrong_type(name, "a string", value);
  std::optional<std::string>& target = name == "pointer" ? options.pointer
                                       : name == "range" ? options.range
                                       : name == "lines" ? options.lines
                                       : name == "chars" ? options.characters
                                       : name == "find"  ? options.find
                                       : name == "regex" ? options.regex
                                       : name == "sql"   ? options.sql
                                       : name == "b"     ? options.second_answer
                                                         : options.where;
  target = value.string();
  return {};
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

tl::unexpected<Error> unknown_argument(std::string_view name,
                                       std::span<const std::string_view> other_arguments) {
  std::vector<std::string> known(other_arguments.begin(), other_arguments.end());
  const auto* const first = kArguments.begin() + (has_sql() ? 0 : 2);  // after sql and b
  known.insert(known.end(), first, kArguments.end());
  return fail(
      ErrorCode::invalid_input,
      fmt::format("expected one of {}, found {}", fmt::join(known, ", "), json::quote(name)),
      "arguments", did_you_mean(name, known, "leave it out"));
}

}  // namespace

std::optional<Span> read_span(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = read_position(text.substr(0, dots));
  if (dots == std::string_view::npos) {
    return first ? std::optional(Span{*first, first}) : std::nullopt;
  }
  const std::string_view after_dots = text.substr(dots + 2);
  const auto last = read_position(after_dots);
  const bool is_open = after_dots.empty() && first;  // "3.."
  if (dots == 0 ? !last : !first || (!last && !is_open)) return std::nullopt;
  return Span{first.value_or(0), last};
}

std::string to_text(const Span& span) {
  return span.last ? fmt::format("{}..{}", span.first, *span.last)
                   : fmt::format("{}..", span.first);
}

std::optional<answer::Range> positions(const Span& span, std::size_t count, std::size_t from) {
  const auto size = static_cast<std::int64_t>(count);
  const auto position = [&](std::int64_t number) {
    return number < 0 ? size + number : number - static_cast<std::int64_t>(from);
  };
  const std::int64_t first = std::max<std::int64_t>(position(span.first), 0);
  const std::int64_t last = std::min(span.last ? position(*span.last) : size - 1, size - 1);
  if (first > last) return std::nullopt;
  return answer::Range{static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

Result<Query> parse_query(const QueryOptions& options) { return build(options, Spelling{"--"}); }

std::span<const std::string_view> query_arguments() { return kArguments; }

Result<Query> parse_arguments(json::View arguments,
                              std::span<const std::string_view> other_arguments) {
  if (!arguments.is_object()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected an object, found {}", json::name(arguments.kind())),
                "arguments", R"(send for example {"pointer":"/items"})");
  }
  QueryOptions options;
  for (const json::Member& member : arguments.members()) {
    const std::string name = member.key.string();
    if (is_one_of(name, other_arguments)) continue;  // the caller reads these itself
    if (!is_one_of(name, kArguments)) return unknown_argument(name, other_arguments);
    ENFOLD_TRY(read_argument(name, member.value, options));
  }
  return build(options, Spelling{""});
}

}  // namespace enfold::retrieve
