// SPDX-License-Identifier: Apache-2.0
// Ten questions over a list of 500 items. What cannot be read off the fitted view must be within
// one retrieval of it: by id, by condition or by text, cut to the same budget. Cutting off the end
// is asked the same questions, to compare. Answers are checked by program.
#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
#include "tests/budget/data_sets.h"

#include <functional>
#include <gtest/gtest.h>
#include <iostream>

namespace enfold::budget {
namespace {

using json::View;

/// What a reader of an answer can see.
struct Seen {
  std::vector<View> items;
  std::vector<std::pair<std::string, std::string>> rows;  ///< id and label
  std::optional<View> facts;                              ///< of the list
  View payload;

  [[nodiscard]] std::optional<View> item(std::string_view field, const std::string& raw) const {
    for (const View one : items) {
      const auto value = one.find(field);
      if (value && value->raw() == raw) return one;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string label(const std::string& id) const {
    for (const auto& [row, text] : rows) {
      if (row == id) return text;
    }
    return {};
  }
  [[nodiscard]] std::optional<View> fact(std::string_view section, std::string_view field) const {
    const auto part = facts ? facts->find(section) : std::nullopt;
    return part ? part->find(field) : std::nullopt;
  }
};

Seen look(const FitResult& fitted, const std::string& list) {
  Seen seen;
  seen.payload = fitted.payload.view();
  if (const auto shown = json::Pointer::parse(list)->resolve(seen.payload)) {
    for (const View item : shown->items()) seen.items.push_back(item);
  }
  if (fitted.facts) seen.facts = fitted.facts->view().find(list);
  const auto index = fitted.index ? fitted.index->view().find(list) : std::nullopt;
  if (index) {
    for (const View row : index->find("rows")->items()) {
      seen.rows.emplace_back(row.item(0)->raw(), row.item(1) ? row.item(1)->string() : "");
    }
  }
  return seen;
}

struct Question {
  std::string text;
  std::function<bool(const Seen&)> answered;
  /// Items of the original that one further call brings; what it asks for is known from the
  /// question or from the view.
  std::function<bool(View item, const Seen& view)> wanted;
};

struct DataSet {
  std::string name;
  json::Value payload;
  std::string list;
  std::vector<Question> questions;
};

json::Value retrieve(const DataSet& data, const Question& question, const Seen& view) {
  json::Writer writer;
  writer.begin_array();
  for (const View item : json::Pointer::parse(data.list)->resolve(data.payload.view())->items()) {
    if (question.wanted && question.wanted(item, view)) writer.value(item);
  }
  writer.end_array();
  return std::move(writer).finish_value();
}

// The most that a cut after so many tokens can give: every item that is complete before it.
json::Value head_cut(const DataSet& data, std::size_t tokens) {
  const std::string text = json::to_text(data.payload.view());
  const std::size_t end = token::o200k_base().prefix(text, tokens).size();
  const json::Document whole = *json::parse(text);
  const auto list = json::Pointer::parse(data.list)->resolve(whole.root());
  json::Writer items;
  items.begin_array();
  for (const View item : list->items()) {
    if (item.offset() + item.raw().size() > end) break;
    items.value(item);
  }
  items.end_array();
  const std::vector<json::Change> change{
      {data.list, json::Value(*list), std::move(items).finish_value()}};
  return json::apply(whole.root(), change);
}

std::string raw_of(View item, std::string_view field) {
  return std::string(item.find(field)->raw());
}

/// The questions that both lists are asked, by the names that their members have.
struct Names {
  std::string list, total, id, label, state, some_state, measure, owner, text, needle;
};

std::vector<Question> questions(const json::Value& payload, const Names& n, std::size_t needle_at) {
  const View list = *json::Pointer::parse(n.list)->resolve(payload.view());
  const auto at = [list](std::size_t i) { return *list.item(i); };
  const auto by_id = [n](std::string id) {
    return [n, id](View item, const Seen&) { return raw_of(item, n.id) == id; };
  };
  const auto shows = [n](View item, const std::string& field) {
    return [n, item, field](const Seen& seen) {
      const auto shown = seen.item(n.id, raw_of(item, n.id));
      const auto value = shown ? shown->find(field) : std::nullopt;
      return value && value->raw() == item.find(field)->raw();
    };
  };
  const auto names = [n, shows](View item) {
    return [=](const Seen& seen) {
      return shows(item, n.label)(seen) ||
             seen.label(raw_of(item, n.id)) == item.find(n.label)->string();
    };
  };
  std::int64_t in_state = 0;
  View most = at(0);
  for (const View item : list.items()) {
    in_state += item.find(n.state)->equals(n.some_state) ? 1 : 0;
    if (*item.find(n.measure)->real() > *most.find(n.measure)->real()) most = item;
  }
  const View last = at(list.size() - 1);
  const View needle = at(needle_at);
  return {
      {"how many are there in all",
       [=](const Seen& seen) {
         const auto total = json::Pointer::parse(n.total)->resolve(seen.payload);
         const auto count = seen.facts ? seen.facts->find("count") : std::nullopt;
         const auto want = static_cast<std::int64_t>(list.size());
         return (total && total->integer() == want) || (count && count->integer() == want);
       },
       nullptr},
      {"what is the first about", names(at(0)), nullptr},
      {"what is number 321 about", names(at(321)), by_id(raw_of(at(321), n.id))},
      {"which one is about this", names(at(250)),
       [=](View item, const Seen&) { return raw_of(item, n.label) == raw_of(at(250), n.label); }},
      {"how many are in this state",
       [=](const Seen& seen) {
         const auto counts = seen.fact("values", n.state);
         const auto count = counts ? counts->find(n.some_state) : std::nullopt;
         return count && count->integer() == in_state;
       },
       nullptr},
      {"which has the highest measure", shows(most, n.measure),
       [=](View item, const Seen& view) {
         const auto range = view.fact("ranges", n.measure);  // the view says what to ask for
         return range && range->item(1)->raw() == raw_of(item, n.measure);
       }},
      {"whose is number 444", shows(at(444), n.owner), by_id(raw_of(at(444), n.id))},
      {"the whole text of the last", shows(last, n.text), by_id(raw_of(last, n.id))},
      {"which one mentions the needle", shows(needle, n.text),
       [=](View item, const Seen&) {
         return item.find(n.text)->string().find(n.needle) != std::string::npos;
       }},
  };
}

DataSet issue_list() {
  DataSet data{"500 issues", enfold::testing::issues(500), "/items", {}};
  data.questions = questions(data.payload,
                             {"/items", "/total_count", "number", "title", "state", "open", "score",
                              "assignee", "body", "coolant pump 7B"},
                             377);
  const auto wanted = [](View item) {
    bool security = false;
    for (const View label : item.find("labels")->items()) security |= label.equals("security");
    return security && item.find("created_at")->string().starts_with("2025-12");
  };
  const json::Value payload = data.payload;
  data.questions.push_back(
      {"which security issues are of December",
       [=](const Seen& seen) {
         for (const View item : payload.view().find("items")->items()) {
           const std::string id = raw_of(item, "number");
           if (wanted(item) && !seen.item("number", id) && seen.label(id).empty()) return false;
         }
         return seen.facts && seen.facts->find("count")->integer() < 100;  // these and no others
       },
       [=](View item, const Seen&) { return wanted(item); }});
  return data;
}

DataSet shipment_list() {
  DataSet data{"500 shipments", enfold::testing::shipments(500), "/result/shipments", {}};
  data.questions =
      questions(data.payload,
                {"/result/shipments", "/result/matched", "reference", "description", "status",
                 "arrived", "weight_kg", "origin", "note", "brass telescope"},
                263);
  const View list = *data.payload.view().find("result")->find("shipments");
  data.questions.push_back(
      {"which ones failed at customs",
       [=](const Seen& seen) {
         return seen.item("reference", raw_of(*list.item(142), "reference")) &&
                seen.item("reference", raw_of(*list.item(390), "reference"));
       },
       [](View item, const Seen&) { return item.find("status")->equals("customs_failed"); }});
  return data;
}

TEST(TenQuestions, all_are_answered_with_at_most_one_further_call_at_4000_tokens) {
  std::cout << "| list | way | tokens | at once | after one call | not reached |\n";
  for (const DataSet& data : {issue_list(), shipment_list()}) {
    ASSERT_EQ(data.questions.size(), 10U);
    const auto fitted = enfold::testing::fit_to(data.payload.view(), 4'000);
    ASSERT_TRUE(fitted);
    FitResult head;
    head.payload = head_cut(data, 4'000);
    const Seen view = look(*fitted, data.list);
    const Seen start = look(head, data.list);
    int at_once = 0;
    int after_one = 0;
    int from_head = 0;
    for (const Question& question : data.questions) {
      from_head += question.answered(start) ? 1 : 0;
      if (question.answered(view)) {
        ++at_once;
        continue;
      }
      const json::Value found = retrieve(data, question, view);
      const auto again = enfold::testing::fit_to(found.view(), 4'000);
      ASSERT_TRUE(again);
      // A retrieval answers with the items themselves, or with a cut of them.
      Seen second = look(*again, "");
      const json::Value facts =
          json::parse_own(fmt::format("{{\"count\":{}}}", found.view().size()));
      if (!second.facts) second.facts = facts.view();
      const bool answered = question.wanted && question.answered(second);
      after_one += answered ? 1 : 0;
      EXPECT_TRUE(answered) << data.name << ": " << question.text;
    }
    std::cout << fmt::format("| {} | fitted | {} | {} | {} | {} |\n", data.name,
                             token::o200k_base().count(enfold::testing::answer_text(*fitted)),
                             at_once, after_one, 10 - at_once - after_one);
    std::cout << fmt::format("| {} | end cut off | 4000 | {} | – | {} |\n", data.name, from_head,
                             10 - from_head);
    EXPECT_EQ(at_once + after_one, 10) << data.name;
    EXPECT_GT(at_once, from_head) << data.name;
  }
}

}  // namespace
}  // namespace enfold::budget
