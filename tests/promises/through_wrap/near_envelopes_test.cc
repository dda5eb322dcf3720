// SPDX-License-Identifier: Apache-2.0
// Envelopes that are nearly right, through the program: `validate`, `convert`, `parse`, `explain`
// and `wrap` agree about each of them.
#include "tests/support/near_envelopes.h"

#include "enfold/json/document.h"
#include "tests/cli/program.h"

#include <fmt/core.h>
#include <sstream>

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;
using testing::NearEnvelope;

std::vector<json::Value> documents_of(const std::string& lines) {
  std::vector<json::Value> all;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    all.push_back(json::parse(std::string_view(line))->value());
  }
  return all;
}

std::string text_at(json::View object, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) object = object.find(key).value_or(json::View());
  return object.is_string() ? object.string() : json::to_text(object);
}

class NearEnvelopes : public ProgramTest {
 protected:
  // The cases that the caller names the same contract for; nullopt: none.
  void choose(const std::optional<std::string>& from) {
    for (NearEnvelope& one : testing::near_envelopes()) {
      if (one.from == from) cases_.push_back(std::move(one));
    }
  }

  // One document per case.
  std::vector<json::Value> run(std::vector<std::string> arguments) {
    for (std::size_t n = 0; n != cases_.size(); ++n) {
      const std::string file = fmt::format("case-{}.json", n);
      write(file, cases_[n].answer);
      arguments.push_back(file);
    }
    const Ended ended = enfold(arguments);
    std::vector<json::Value> all = documents_of(ended.out);
    EXPECT_EQ(all.size(), cases_.size()) << ended.err;
    all.resize(cases_.size());
    return all;
  }

  std::vector<NearEnvelope> cases_;
};

void expect_routes_agree(const NearEnvelope& want, json::View validated, json::View explained,
                         json::View converted, json::View parsed) {
  SCOPED_TRACE(want.name + ": " + want.answer);
  const bool failed = want.outcome == "failed";
  EXPECT_EQ(text_at(validated, {"contract"}), want.contract);
  EXPECT_EQ(text_at(validated, {"valid"}), want.violations.empty() ? "true" : "false");
  EXPECT_EQ(text_at(explained, {"contract"}), want.contract);
  EXPECT_EQ(text_at(explained, {"outcome"}), want.outcome);
  const bool wrong = !want.violations.empty() || want.contradiction;
  EXPECT_EQ(text_at(explained, {"problems"}) != "[]", wrong);
  EXPECT_EQ(text_at(converted, {"success"}), failed ? "false" : "true");
  const std::string status = text_at(parsed, {"status"});
  const bool says_error = status == "error" || status == "failed" || status == "ERROR" ||
                          (status != "partial" && parsed.find("error"));
  EXPECT_EQ(says_error || text_at(parsed, {"responseType"}) == "error", failed);
  EXPECT_TRUE(!failed || want.message.empty() || want.message == text_at(converted, {"error"}));
  for (const std::string& kept : want.kept) {
    EXPECT_THAT(json::to_text(converted), HasSubstr(kept));
    EXPECT_THAT(json::to_text(parsed), HasSubstr(kept));
  }
}

TEST_F(NearEnvelopes, are_read_alike_from_files) {
  for (const std::optional<std::string>& from :
       {std::optional<std::string>(), std::optional<std::string>("response-v1"),
        std::optional<std::string>("memory")}) {
    cases_.clear();
    choose(from);
    ASSERT_GE(cases_.size(), 4U);
    const std::string name = from.value_or("auto");
    const auto validated = run({"validate", "--json", "--contract", name});
    const auto explained = run({"explain", "--json", "--from", name});
    const auto converted = run({"convert", "--to", "response-v2", "--from", name});
    const auto parsed = run({"parse", "--from", name});
    for (std::size_t n = 0; n != cases_.size(); ++n) {
      expect_routes_agree(cases_[n], validated[n].view(), explained[n].view(), converted[n].view(),
                          parsed[n].view());
    }
  }
}

TEST_F(NearEnvelopes, are_read_alike_by_wrap) {
  for (NearEnvelope& one : testing::near_envelopes()) {
    if (one.is_detected_in_result()) cases_.push_back(std::move(one));
  }
  std::string file;
  std::string input =
      R"({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":)"
      R"("2025-06-18","clientInfo":{"name":"tester","version":"1"},"capabilities":{}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n";
  for (std::size_t n = 0; n != cases_.size(); ++n) {
    file += json::to_text(cases_[n].as_result().view()) + "\n";
    input += fmt::format(
        R"({{"jsonrpc":"2.0","id":{0},"method":"tools/call","params":{{"name":"strange","arguments":{{"n":{0}}}}}}})"
        "\n",
        n);
  }
  write("results", file);
  for (const char* contract : {"response-v2", "response-v1", "generic", "scalpel-v1", "memory"}) {
    const Ended ended = enfold(
        {"wrap", "--contract", contract, "--archive", "none", "--", ENFOLD_TEST_SERVER, "results"},
        input);
    std::size_t answers = 0;
    for (const json::Value& message : documents_of(ended.out)) {
      const auto id = message->find("id");
      if (!id || !id->is_number()) continue;
      ++answers;
      const NearEnvelope& want = cases_.at(static_cast<std::size_t>(*id->integer()));
      SCOPED_TRACE(fmt::format("{} in {}: {}", want.name, contract, want.answer));
      EXPECT_EQ(text_at(message.view(), {"result", "isError"}),
                want.outcome == "failed" ? "true" : "false");
      // memory has no place for the details of a failure, scalpel-v1 shows only listed ones.
      const std::string_view written = contract;
      if (want.outcome == "failed" && (written == "memory" || written == "scalpel-v1")) continue;
      for (const std::string& kept : want.kept) {
        EXPECT_THAT(json::to_text(*message->find("result")), HasSubstr(kept));
      }
    }
    EXPECT_EQ(answers, cases_.size()) << ended.err;
  }
}

}  // namespace
}  // namespace enfold::cli
