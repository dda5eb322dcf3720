// SPDX-License-Identifier: Apache-2.0
// The answers of tests/golden/world through `enfold wrap`, in the contract `generic`: the program
// says of each what the library says of it.
#include "tests/cli/program.h"
#include "tests/contract/parse_any.h"
#include "tests/promises/outcome_answers.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <sstream>

namespace enfold::cli {
namespace {

json::Value read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return json::parse(std::string_view(text.str()))->value();
}

// The answers that are results, each on one line.
std::vector<std::string> results_of_the_world() {
  std::vector<std::string> results;
  const auto folder = std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/world";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const json::Value cases = read_file(entry.path());
    for (const json::View one : cases->items()) {
      const json::View answer = *one.find("answer");
      if (const auto result = answer.find("result")) {
        results.push_back(json::to_text(*result));
        continue;
      }
      const auto json = answer.find("json");
      const auto text = answer.find("text");
      if (!json && !text) continue;
      json::Writer writer;
      writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
      writer.member("text", json ? json::to_text(*json) : text->string());
      writer.end_object().end_array().end_object();
      results.push_back(json::to_text(std::move(writer).finish_value().view()));
    }
  }
  return results;
}

std::string text_at(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found ? json::to_text(*found) : std::string("-");
}

/// What a reader of a generic answer learns of outcome, kind, shape and paging.
std::string statement_of(json::View generic) {
  std::string text;
  for (const char* key : {"responseType", "status", "pagination", "summary", "error"}) {
    text += fmt::format("{} {}; ", key, text_at(generic, key));
  }
  return text;
}

class OneOutcome : public ProgramTest {
 protected:
  /// What `wrap` sends says the same as what the library reads.
  void expect_same_reading(std::span<const std::string> results);
};

// Generated answers as the only text of a result.
std::vector<std::string> generated_results(std::size_t count) {
  std::mt19937_64 random(8'267'013);
  const auto choose = [&](int below) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(below));
  };
  std::vector<std::string> results;
  for (std::size_t n = 0; n != count; ++n) {
    json::Writer writer;
    writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
    writer.member("text", testing::make_answer(choose)).end_object().end_array().end_object();
    results.push_back(json::to_text(std::move(writer).finish_value().view()));
  }
  return results;
}

void OneOutcome::expect_same_reading(std::span<const std::string> results) {
  std::string file;
  std::string input =
      R"({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":)"
      R"("2025-06-18","clientInfo":{"name":"tester","version":"1"},"capabilities":{}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n";
  for (std::size_t n = 0; n != results.size(); ++n) {
    file += results[n] + "\n";
    input += fmt::format(
        R"({{"jsonrpc":"2.0","id":{0},"method":"tools/call","params":{{"name":"strange","arguments":{{"n":{0}}}}}}})"
        "\n",
        n);
  }
  write("results", file);
  const Ended ended = enfold({"wrap", "--contract", "generic", "--no-redact", "--archive", "none",
                              "--", ENFOLD_TEST_SERVER, "results"},
                             input);
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  std::size_t answers = 0;
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) {
    const auto message = json::parse(line);
    const auto id = message->root().find("id");
    const auto result = message->root().find("result");
    if (!id || !id->is_number() || !result) continue;
    const std::string& sent = results[static_cast<std::size_t>(*id->integer())];
    const auto expected =
        contract::parse_any(json::parse(sent)->value().view(), {.tool = "strange", .limits = {}});
    const json::Value want = json::parse(expected->output.buffer())->value();
    const auto got = result->find("structuredContent");
    ASSERT_TRUE(got) << line;
    EXPECT_EQ(statement_of(*got), statement_of(want.view())) << sent;
    const bool failed = !succeeded(expected->reading.response);
    EXPECT_EQ(text_at(*result, "isError"), failed ? "true" : "false") << sent;
    ++answers;
  }
  EXPECT_EQ(answers, results.size());
}

TEST_F(OneOutcome, is_read_by_wrap_as_by_the_library) {
  std::vector<std::string> results = results_of_the_world();
  ASSERT_GE(results.size(), 250U);
  for (std::string& one :
       generated_results(std::getenv("ENFOLD_NIGHTLY") == nullptr ? 2'000 : 20'000)) {
    results.push_back(std::move(one));
  }
  constexpr std::size_t kAtATime = 1'000;  // open calls that `wrap` accepts
  const std::span<const std::string> all = results;
  for (std::size_t n = 0; n < all.size(); n += kAtATime) {
    expect_same_reading(all.subspan(n, std::min(kAtATime, all.size() - n)));
  }
}

}  // namespace
}  // namespace enfold::cli
