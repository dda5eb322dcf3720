// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/budget.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget {
namespace {

using json::View;

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kShortestTerm = 3;  // bytes

tl::unexpected<Error> wrong_value(const std::string& where, std::string_view expected, View found) {
  return fail(ErrorCode::invalid_input,
              fmt::format("expected {}, found {}", expected, json::name(found.kind())), where,
              "see docs/reference/fitting.md for the members of a policy");
}

// A pattern must name a part: one that matches the whole payload expresses no preference.
tl::unexpected<Error> whole_payload_error(const std::string& where) {
  return fail(ErrorCode::invalid_input,
              "expected patterns of parts of the payload, found \"\", which is all of it", where,
              "name a part, as in \"/items/*/body\"; \"partial\": false forbids to show parts");
}

Status read_patterns(View value, const std::string& where, std::vector<std::string>& patterns) {
  if (!value.is_array()) return wrong_value(where, "a list of JSON Pointers", value);
  for (const View item : value.items()) {
    if (!item.is_string()) return wrong_value(where, "a JSON Pointer in every item", item);
    auto pointer = json::Pointer::parse(item.string());
    if (!pointer) {
      Error error = pointer.error();
      error.where = where;
      return tl::unexpected(std::move(error));
    }
    if (pointer->tokens().empty()) return whole_payload_error(where);
    patterns.push_back(pointer->str());
  }
  return {};
}

Status read_member(Policy& policy, View key, View value) {
  const std::string where = "/" + key.string();
  const auto text = [&](std::string& to) -> Status {
    if (!value.is_string()) return wrong_value(where, "a string", value);
    to = value.string();
    return {};
  };
  const auto flag = [&](bool& to) -> Status {
    if (!value.is_boolean()) return wrong_value(where, "true or false", value);
    to = value.boolean();
    return {};
  };
  if (key.equals("id")) return text(policy.id);
  if (key.equals("label")) return text(policy.label);
  if (key.equals("order_by")) return text(policy.order_by);
  if (key.equals("protect")) return read_patterns(value, where, policy.protect);
  if (key.equals("keep")) return read_patterns(value, where, policy.keep);
  if (key.equals("drop")) return read_patterns(value, where, policy.drop);
  if (key.equals("columnar")) return flag(policy.columnar);
  if (key.equals("partial")) return flag(policy.partial);
  if (key.equals("summary")) return flag(policy.summary);
  if (key.equals("clip")) {
    const auto bytes = value.integer();
    if (!bytes || *bytes < 1 || *bytes > 1'000'000) {
      return wrong_value(where, "a number of bytes from 1 to 1000000", value);
    }
    policy.clip = static_cast<std::size_t>(*bytes);
    return {};
  }
  if (key.equals("terms")) {
    if (!value.is_array()) return wrong_value(where, "a list of strings", value);
    for (const View item : value.items()) {
      if (!item.is_string()) return wrong_value(where, "a string in every item", item);
      policy.terms.push_back(item.string());
    }
    return {};
  }
  static const std::vector<std::string> known{"id",       "label",   "protect",  "keep",
                                              "drop",     "clip",    "order_by", "terms",
                                              "columnar", "partial", "summary"};
  return fail(ErrorCode::invalid_input,
              fmt::format("unknown member {} of a policy", json::quote(key.string())), where,
              did_you_mean(key.string(), known,
                           "see docs/reference/fitting.md for the members of a policy"));
}

bool is_word_byte(char c) {  // of text in lower case
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

void add_words(const std::string& text, std::vector<std::string>& terms) {
  for (std::size_t at = 0; at < text.size() && terms.size() < kMostTerms;) {
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    if (word.size() >= kShortestTerm &&
        std::find(terms.begin(), terms.end(), word) == terms.end()) {
      terms.push_back(word);
    }
    at = end + 1;
  }
}

void collect_words(View value, std::vector<std::string>& terms, int depth) {
  constexpr int deepest = 4;  // arguments nested deeper are data, not search terms
  if (value.is_string()) add_words(to_lower(value.string()), terms);
  if (depth == deepest) return;
  for (const auto& [key, member] : value.members()) collect_words(member, terms, depth + 1);
  for (const View item : value.items()) collect_words(item, terms, depth + 1);
}

}  // namespace

Status check(const Budget& budget) {
  const auto at_least = [](std::size_t least, std::string_view what, std::size_t found) {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget of at least {} {}, found {}", least, what, found),
                "budget",
                fmt::format("raise the budget to {} {} or more: an envelope that says what is "
                            "missing needs that much",
                            least, what));
  };
  if (budget.tokens < kSmallestBudget) return at_least(kSmallestBudget, "tokens", budget.tokens);
  if (budget.characters < kFewestCharacters) {
    return at_least(kFewestCharacters, "characters", budget.characters);
  }
  if (budget.lines && *budget.lines == 0) return at_least(1, "line", 0);
  return {};
}

Result<OutputSchema> OutputSchema::compile(const json::Value& schema,
                                           const schema::Options& options) {
  ENFOLD_TRY(auto compiled, schema::Schema::compile(schema, options));
  return OutputSchema(schema, std::move(compiled));
}

Result<Policy> read_policy(View settings) {
  if (!settings.is_object()) return wrong_value("", "an object", settings);
  Policy policy;
  for (const auto& [key, value] : settings.members()) {
    ENFOLD_TRY(read_member(policy, key, value));
  }
  return policy;
}

std::vector<std::string> terms_of(View arguments) {
  std::vector<std::string> terms;
  collect_words(arguments, terms, /*depth=*/0);
  return terms;
}

}  // namespace enfold::budget
