// SPDX-License-Identifier: Apache-2.0
// Answers as the servers of many systems give them, and how Enfold reads them: tests/golden/world.
// Every case is read as the gateway reads it (an MCP result), and as `enfold parse` reads a file.
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/pointer.h"
#include "tests/contract/parse_any.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::contract {
namespace {

json::Value read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  auto document = json::parse(std::string_view(text.str()));
  EXPECT_TRUE(document) << path;
  return document ? document->value() : json::Value();
}

std::string text_of(json::View value) {
  return value.is_string() ? value.string() : json::to_text(value);
}

std::string expected_text(json::View expected, std::string_view key) {
  const auto found = expected.find(key);
  return found ? text_of(*found) : std::string();
}

/// The answer as an MCP result, or as a JSON-RPC response with an error.
json::Value as_result(json::View answer) {
  if (const auto result = answer.find("result")) return json::Value(*result);
  json::Writer writer;
  if (const auto error = answer.find("rpc_error")) {
    writer.begin_object().member("jsonrpc", "2.0").key("id").number("1").member("error", *error);
    return std::move(writer.end_object()).finish_value();
  }
  const auto text = answer.find("text");
  writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
  writer.member("text", text ? text->string() : json::to_text(*answer.find("json")));
  writer.end_object().end_array().end_object();
  return std::move(writer).finish_value();
}

/// The JSON of an answer without text, fences and lone wrappers around it; null: there is none.
json::Value data_of(json::View answer) {
  json::Value value;
  if (const auto json = answer.find("json")) value = json::Value(*json);
  if (const auto text = answer.find("text")) value = json::Value(*text);
  if (const auto result = answer.find("result")) {
    const auto structured = result->find("structuredContent");
    if (structured && !structured->is_null()) {
      value = json::Value(*structured);
    } else {
      for (const json::View block : result->find("content").value_or(json::View()).items()) {
        const std::string text = expected_text(block, "text");
        if (text.find_first_of("{[") == std::string::npos) continue;
        value = json::Value(*block.find("text"));
        break;
      }
    }
  }
  for (int layer = 0; layer < 8; ++layer) {
    if (value->is_string()) {
      const std::string text = value->string();
      if (text == "true" || text == "false") return json::parse(text)->value();
      const std::size_t start = text.find_first_of("{[");
      const std::size_t end = text.find_last_of("}]");
      if (start == std::string::npos || end == std::string::npos) return {};
      auto inner = json::parse(std::string_view(text).substr(start, end + 1 - start));
      if (!inner) return {};
      value = inner->value();
      continue;
    }
    std::optional<json::View> inside;
    if (value->is_object() && value->size() == 1) {
      for (const char* key : {"output", "result"}) {
        if (const auto found = value->find(key)) inside = *found;
      }
      const auto content = value->find("content");
      if (content && content->is_string()) inside = *content;
    }
    if (!inside || !(inside->is_container() || inside->is_string())) return value;
    value = json::Value(*inside);
  }
  return value;
}

/// What differs between a reading and what is expected; empty: nothing.
class Comparison {
 public:
  Comparison(json::View one, const Parsed& parsed)
      : answer_(*one.find("answer")),
        expected_(*one.find("expected")),
        response_(parsed.reading.response),
        generic_(json::parse(parsed.output.buffer())->value()) {}

  std::string differences() {
    same("outcome", std::string(model::name(response_.outcome)),
         expected_text(expected_, "outcome"));
    if (expected_.find("shape")) {
      same("shape", expected_text(generic_.view(), "responseType"),
           expected_text(expected_, "shape"));
    }
    const bool possible = std::ranges::any_of(response_.warnings, [](const model::Warning& one) {
      return one.code == "POSSIBLE_FAILURE";
    });
    const bool is_warned = expected_text(expected_, "possible_failure") == "true";
    same("possible_failure", possible ? "true" : "false", is_warned ? "true" : "false");
    if (!text_.empty()) return text_;
    if (response_.failure) {
      compare_failure();
    } else if (expected_.find("items_at")) {
      compare_list();
    } else if (expected_.find("payload_at")) {
      compare_thing();
    }
    return text_;
  }

 private:
  void same(std::string_view what, const std::string& got, const std::string& want) {
    if (got != want) text_ += fmt::format("{}: \"{}\", expected \"{}\"; ", what, got, want);
  }

  void compare_failure() {
    const model::Failure& failure = *response_.failure;
    const bool input =
        failure.kind == model::ErrorKind::bad_path || failure.kind == model::ErrorKind::correctable;
    if (expected_.find("kind")) {
      same("kind", std::string(model::name(input ? model::ErrorKind::bad_input : failure.kind)),
           expected_text(expected_, "kind"));
    }
    if (expected_.find("code")) same("code", failure.code, expected_text(expected_, "code"));
    if (expected_.find("message")) {
      same("message", failure.message, expected_text(expected_, "message"));
    }
    if (expected_.find("retry_after")) {
      same("retry_after", failure.retry_after ? failure.retry_after->text : "",
           expected_text(expected_, "retry_after"));
    }
  }

  void compare_list() {
    const json::View data = generic_->find("data").value_or(json::View());
    const std::string at = expected_text(expected_, "items_at");
    const bool empty = expected_text(expected_, "returned") == "0";
    if (at != "lines" && at != "blocks" && !empty) compare_value(data, at);
    same("returned", std::to_string(data.size()), expected_text(expected_, "returned"));
    const json::View page = expected_.find("page").value_or(json::View());
    const json::View summary = generic_->find("summary").value_or(json::View());
    const std::string want = expected_text(page, "has_more");
    if (page.find("has_more")) {
      same("has_more", expected_text(summary, "hasMore"), want == "null" ? "" : want);
    }
    const auto total = page.find("total");
    if (total && !total->is_null()) same("total", expected_text(summary, "total"), text_of(*total));
    const auto next = page.find("next");
    if (!next || next->is_null()) return;
    const json::View pagination = generic_->find("pagination").value_or(json::View());
    std::string got = expected_text(pagination, "nextOffset");
    if (got.empty()) got = expected_text(pagination, "after");
    std::erase(got, ' ');
    std::string wanted = text_of(*next);
    std::erase(wanted, ' ');
    same("next", got, wanted);
  }

  void compare_thing() {
    const std::string at = expected_text(expected_, "payload_at");
    const json::View data = generic_->find("data").value_or(json::View());
    if (at == "text") {
      if (!data.find("text") && !data.find("content")) text_ += "payload is no text; ";
      return;
    }
    compare_value(data, at);
  }

  // The data of generic is the value at `at`; scalars are written as {"result": value}.
  void compare_value(json::View data, const std::string& at) {
    const json::Value whole = data_of(answer_);
    const auto pointer = json::Pointer::parse(at);
    const auto want = pointer ? pointer->resolve(whole.view()) : std::nullopt;
    if (!want) {
      text_ += "no value at " + at + "; ";
      return;
    }
    json::View got = data;
    if (!want->is_container()) got = data.find("result").value_or(data.find("text").value_or(data));
    if (!json::equal(got, *want)) {
      text_ +=
          fmt::format("payload is not at \"{}\": {}; ", at, json::to_text(data).substr(0, 200));
    }
  }

  json::View answer_;
  json::View expected_;
  const model::Response& response_;
  json::Value generic_;
  std::string text_;
};

struct Score {
  int cases = 0;
  int right = 0;
  std::string wrong;
};

Score score(const std::filesystem::path& folder) {
  Score out;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    const json::Value cases = read_file(file);
    for (const json::View one : cases->items()) {
      ++out.cases;
      const ReadOptions options{.tool = expected_text(one, "tool"), .limits = {}};
      const json::View answer = *one.find("answer");
      const json::Value result = as_result(answer);
      const Result<Parsed> parsed = parse_any(result.view(), options);
      std::string differences =
          parsed ? Comparison(one, *parsed).differences() : parsed.error().message;
      if (const auto json = answer.find("json"); json && differences.empty()) {
        const Result<Parsed> of_file = parse_any(*json, options);
        differences = of_file ? Comparison(one, *of_file).differences() : of_file.error().message;
        if (!differences.empty()) differences = "as a file: " + differences;
      }
      if (differences.empty()) {
        ++out.right;
      } else {
        out.wrong += fmt::format("{} | {} | {} | {}\n", file.filename().string(),
                                 expected_text(one, "case"), options.tool, differences);
      }
    }
  }
  return out;
}

const std::filesystem::path kGolden = std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden";

TEST(World, answers_of_many_systems_are_read_as_they_are_meant) {
  const Score all = score(kGolden / "world");
  EXPECT_GE(all.cases, 250);
  EXPECT_EQ(all.right, all.cases) << all.wrong;
}

struct BlindSet {
  std::string_view folder;
  int at_least = 80;  ///< docs/measurements/reading.md names the others
};

TEST(World, answers_that_were_written_blind_are_read_as_they_are_meant) {
  for (const BlindSet& set : std::to_array<BlindSet>({{"world_blind"},
                                                      {"world_blind_2"},
                                                      {"world_blind_3"},
                                                      {"world_blind_4"},
                                                      {"world_blind_5"},
                                                      {"world_blind_6"},
                                                      {"world_blind_7", 77}})) {
    const Score all = score(kGolden / set.folder);
    fmt::print("[ {} ] {} of {} right\n", set.folder, all.right, all.cases);
    EXPECT_EQ(all.cases, 80);
    EXPECT_GE(all.right, set.at_least) << all.wrong;
  }
}

}  // namespace
}  // namespace enfold::contract
