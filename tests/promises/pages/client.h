// SPDX-License-Identifier: Apache-2.0
// A client that follows the pages of a list until there is no more, over forms of pages of the
// server, contracts, budgets, and both ways to ask for the records of an answer that Enfold cut.
#pragma once

#include "enfold/json/pointer.h"
#include "tests/budget/truth.h"
#include "tests/promises/pages/forms.h"
#include "tests/support/cases.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace enfold::testing {

/// How a client asks for the records that an answer of Enfold left out.
enum class Way { fetch, same_tool };

struct Case {
  std::size_t form = 0;
  std::size_t records = 1;
  std::size_t size = 1;
  std::size_t style = 0;
  std::string contract;
  std::size_t budget = 200;
  Way way = Way::fetch;

  [[nodiscard]] std::string name() const {
    return fmt::format("{} records in pages of {}, style {}, form {}, {} at {} tokens, by {}",
                       records, size, style, kPageForms[form].name, contract, budget,
                       way == Way::fetch ? "enfold_fetch" : "the same tool");
  }
  /// `next`: the argument that asks for a page, as a member.
  [[nodiscard]] std::string arguments(const std::string& next) const {
    return fmt::format(R"({{"form":{},"records":{},"size":{},"style":{}{}}})", form, records, size,
                       style, next);
  }
};

inline Case draw(std::mt19937_64& random) {
  constexpr std::array<std::string_view, 5> contracts{"response-v2", "response-v1", "generic",
                                                      "scalpel-v1", "memory"};
  constexpr std::array<std::size_t, 7> budgets{240, 320, 450, 700, 1'200, 3'000, 9'000};
  Case drawn;
  drawn.form = random() % kPageForms.size();
  drawn.records = 1 + random() % (random() % 2 == 0 ? 20 : 150);
  drawn.size = 1 + random() % (random() % 3 == 0 ? 8 : 80);
  drawn.style = random() % 5;
  drawn.contract = contracts[random() % contracts.size()];
  drawn.budget = budgets[random() % budgets.size()];
  drawn.way = random() % 2 == 0 ? Way::fetch : Way::same_tool;
  return drawn;
}

inline bool is_false(const std::optional<json::View>& value) {
  return value && value->is_boolean() && !value->boolean();
}

inline std::optional<json::View> at_pointer(json::View value, std::string_view pointer) {
  return json::Pointer::parse(pointer)->resolve(value);
}

/// What a client reads of one answer.
struct Answer {
  json::View payload;               ///< the data of the tool
  std::optional<json::View> page;   ///< what the envelope says of pages
  std::optional<json::View> items;  ///< the records
};

inline Answer read_answer(json::View envelope, const Case& drawn) {
  Answer answer;
  const std::string_view list = kPageForms[drawn.form].list;
  if (drawn.contract == "generic") {
    answer.items = envelope.find("data");
    answer.page = envelope.find("pagination");
    if (!answer.page) answer.page = envelope.find("summary");
    return answer;
  }
  const bool flat = drawn.contract == "response-v1" || drawn.contract == "memory";
  answer.payload = flat ? envelope : envelope.find("data").value_or(json::View());
  const char* const page = drawn.contract == "response-v2"  ? "/meta/pagination"
                           : drawn.contract == "scalpel-v1" ? "/data/_envelope/pagination"
                                                            : "/enfold/pagination";
  answer.page = at_pointer(envelope, page);
  answer.items = at_pointer(answer.payload, list);
  // A list that is no object stands under the name that the contract has for it.
  for (const char* key : {"items", "data", "result"}) {
    if (answer.items && answer.items->is_array()) break;
    answer.items = answer.payload.find(key);
  }
  if (!answer.items && answer.payload.is_array()) answer.items = answer.payload;
  return answer;
}

/// Calls a tool with arguments and `_meta`.
using CallTool = std::function<json::Value(const std::string& tool, const std::string& arguments,
                                           const std::string& meta)>;

class Client {
 public:
  Client(CallTool call, const Case& drawn)
      : call_(std::move(call)), case_(drawn), form_(kPageForms[drawn.form]) {}

  /// Empty: every record was read exactly once.
  std::string run() {
    const std::size_t most_calls = 3 * case_.records + 20;
    std::string tool = "list_records";
    std::string arguments = case_.arguments("");
    for (std::size_t calls = 0; calls < most_calls; ++calls) {
      const json::Value result =
          call_(tool, arguments,
                fmt::format(R"({{"dev.enfold/contract":"{}","dev.enfold/budget":{}}})",
                            case_.contract, case_.budget));
      const auto envelope = result->find("structuredContent");
      if (!envelope || !is_false(result->find("isError"))) {
        return fmt::format("call {}: {} {}", calls, arguments, json::to_text(result.view()));
      }
      seen_ += json::to_text(*envelope).substr(0, 600) + "\n";
      if (std::string wrong = take(*envelope); !wrong.empty()) return wrong;
      if (!next(*envelope, tool, arguments)) return verdict();
    }
    return "the pages do not end";
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  std::string take(json::View envelope) {
    if (case_.contract == "generic" && !envelope.find("responseType")->equals("list")) {
      return "the answer is no list any more";
    }
    const Answer answer = read_answer(envelope, case_);
    if (!answer.items || !answer.items->is_array()) return {};  // none of them is shown
    for (const json::View item : records_of(*answer.items)) {
      const auto id = item.find("id");
      if (!id || !id->integer()) return "an item is no record: " + json::to_text(item);
      ++read_[*id->integer()];
    }
    return {};
  }

  /// False: there is no other page.
  bool next(json::View envelope, std::string& tool, std::string& arguments) {
    const Answer answer = read_answer(envelope, case_);
    if (!answer.page) return next_of_tool(tool, arguments);
    const auto more = answer.page->find(case_.contract == "generic" ? "hasMore" : "has_more");
    if (!more || !more->is_boolean() || !more->boolean()) return false;
    const auto cursor = answer.page->find(case_.contract == "generic" ? "nextOffset" : "cursor");
    if (cursor && cursor->is_string() && cursor->string().starts_with("EnfC")) {
      const bool fetch = case_.way == Way::fetch;
      tool = fetch ? "enfold_fetch" : "list_records";
      const std::string member = R"("cursor":)" + json::quote(cursor->string());
      arguments = fetch ? "{" + member + "}" : case_.arguments("," + member);
      return true;
    }
    tool = "list_records";
    if (form_.argument == "page") {
      set_next(fmt::format("{}", ++page_number_), arguments);
    } else if (form_.argument == "offset") {
      offset_ += case_.size;
      set_next(fmt::format("{}", offset_), arguments);
    } else if (cursor && cursor->is_string()) {
      set_next(json::quote(cursor->string()), arguments);
    } else {
      return false;
    }
    return true;
  }

  /// The envelope says nothing of pages, so the answer is whole, and the tool's own words count.
  bool next_of_tool(std::string& tool, std::string& arguments) {
    const auto next = form_.next(draw_page(json::parse_own(arguments_).view()));
    if (!next) return false;
    tool = "list_records";
    if (form_.argument == "page") ++page_number_;
    if (form_.argument == "offset") offset_ += case_.size;
    set_next(*next, arguments);
    return true;
  }

  void set_next(const std::string& value, std::string& arguments) {
    arguments_ = case_.arguments(fmt::format(R"(,"{}":{})", form_.argument, value));
    arguments = arguments_;
  }

  std::string verdict() {
    std::string wrong;
    for (std::size_t id = 0; id < case_.records; ++id) {
      const int times = read_[static_cast<std::int64_t>(id)];
      if (times != 1 && wrong.size() < 200)
        wrong += fmt::format("record {}: {} times; ", id, times);
    }
    return wrong;
  }

  CallTool call_;
  const Case& case_;
  const PageForm& form_;
  std::map<std::int64_t, int> read_;
  std::string arguments_ = case_.arguments("");  ///< of the last call that the server answered
  std::size_t page_number_ = 1;
  std::size_t offset_ = 0;
  std::string seen_;
};

/// Follows the pages of so many lists; the number of those that were not read right.
inline int follow(int cases, const CallTool& call) {
  std::mt19937_64 random(20'261'117 + given_seed());
  int wrong = 0;
  for (int i = 0; i < cases; ++i) {
    const Case drawn = draw(random);
    Client client(call, drawn);
    const std::string verdict = client.run();
    if (verdict.empty()) continue;
    if (++wrong > 3) continue;
    ADD_FAILURE() << "case " << i << ": " << drawn.name() << "\n"
                  << verdict.substr(0, 1500) << "\n"
                  << client.seen().substr(0, 3000);
  }
  return wrong;
}

}  // namespace enfold::testing
