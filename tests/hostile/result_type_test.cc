// SPDX-License-Identifier: Apache-2.0
// A result says of itself that it is no answer, and so would be neither redacted nor cut.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

std::string content() {
  return fmt::format(R"("content":[{{"type":"text","text":"see {} for more"}}])", kToken);
}

struct Case {
  const char* era;
  const char* type;
};

class ResultType : public ::testing::TestWithParam<std::tuple<bool, Case>> {};

constexpr Case kTypes[] = {
    {"sessions", R"("resultType":"x",)"},
    {"sessions", R"("resultType":7,)"},
    {"sessions", R"("resultType":"complete","resultType":"weird",)"},
    {"sessions", R"("resultType":"input_required","inputRequests":{},)"},
    {"sessions", R"("resultType":"task","taskId":"t1",)"},
    {"sessions", R"("task":{"taskId":"t1"},)"},
    {"stateless", R"("resultType":"x",)"},
    {"stateless", R"("resultType":"task","taskId":"t1",)"},
    {"stateless", R"("resultType":"task",)"},
    {"stateless", R"("task":{"taskId":"t1"},)"},
};

TEST_P(ResultType, switches_neither_redaction_nor_contract_nor_budget_off) {
  const auto& [stateless_client, one] = GetParam();
  Settings settings = in_front_of(upstream(one.era));
  settings.answers.budget = budget::Budget{.tokens = 500};
  Meeting meeting(std::move(settings), "{}", stateless_client);
  const std::string short_answer =
      json::to_text(meeting.result(fmt::format("{{{}{}}}", one.type, content())).view());
  EXPECT_THAT(short_answer, Not(HasSubstr(kToken)));
  EXPECT_THAT(short_answer, HasSubstr("for more"));
  EXPECT_THAT(short_answer, HasSubstr("SECRET_REDACTED"));
  std::string words;
  for (int i = 0; i < 20000; ++i) words += "word ";
  const std::string long_answer =
      json::to_text(meeting
                        .result(fmt::format(R"({{{}"content":[{{"type":"text","text":"{}"}}]}})",
                                            one.type, words))
                        .view());
  EXPECT_LT(long_answer.size(), 10000U);
  EXPECT_THAT(long_answer, HasSubstr("content_archive_hashes"));
}

TEST_P(ResultType, does_not_switch_redaction_off_without_a_contract) {
  const auto& [stateless_client, one] = GetParam();
  Meeting meeting(in_front_of(upstream(one.era), "none"), "{}", stateless_client);
  const std::string answer =
      json::to_text(meeting.result(fmt::format("{{{}{}}}", one.type, content())).view());
  EXPECT_THAT(answer, Not(HasSubstr(kToken)));
  EXPECT_THAT(answer, HasSubstr("for more"));
}

INSTANTIATE_TEST_SUITE_P(EveryEra, ResultType,
                         ::testing::Combine(::testing::Bool(), ::testing::ValuesIn(kTypes)));

TEST(UnfinishedResult, is_redacted_but_for_what_the_client_sends_back) {
  Meeting meeting(in_front_of(upstream("stateless")), R"({"elicitation":{}})", true);
  const std::string asked = json::to_text(
      meeting
          .result(fmt::format(
              R"({{"resultType":"input_required","inputRequests":{{"a":{{"method":)"
              R"("elicitation/create","params":{{"message":"{0}","requestedSchema":{{"type":)"
              R"("object","properties":{{"password":{{"type":"string","default":"hunter2sEcret99"}}}}}}}}}}}},)"
              R"("requestState":"kept {0}",{1}}})",
              kToken, content()))
          .view());
  EXPECT_THAT(asked, HasSubstr(fmt::format("kept {}", kToken)));
  EXPECT_THAT(asked, HasSubstr(R"("password":{"type":"string","default":"[REDACTED:PASSWORD]"})"));
  EXPECT_THAT(asked, HasSubstr(R"("message":"[REDACTED)"));
  EXPECT_THAT(asked, Not(HasSubstr("for more")));
  const std::string task = json::to_text(
      meeting
          .result(fmt::format(
              R"({{"resultType":"task","taskId":"{0}","status":"working","odd":"my {0}"}})",
              kToken))
          .view());
  EXPECT_THAT(task, HasSubstr(fmt::format(R"("taskId":"{}")", kToken)));
  EXPECT_THAT(task, Not(HasSubstr(fmt::format("my {}", kToken))));
}

}  // namespace
}  // namespace enfold::gateway
