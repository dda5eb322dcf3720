// SPDX-License-Identifier: Apache-2.0
// Calls that are answered later, in both eras: whose a task is, and what becomes of its answer.
#include "tests/gateway/front.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
constexpr const char* kTasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr const char* kDone =
    R"("result":{"resultType":"complete","content":[{"type":"text","text":"it is done"}]},)"
    R"("com.example/odd":1.0)";

Settings in_front_of_two(const std::string& era) {
  Settings settings =
      in_front_of(with_environment(upstream(era, "one"), "ENFOLD_TEST_SCHEME", "one"));
  settings.upstreams.push_back(with_environment(upstream(era, "two"), "ENFOLD_TEST_SCHEME", "two"));
  return settings;
}

/// The task of the test's server ends with these members of `tasks/get`.
std::string ending_in(const std::string& members) {
  return fmt::format(R"({{"raw":{}}})", json::quote(members));
}

TEST(Tasks, end_with_the_answer_of_their_tool) {
  for (const bool several : {false, true}) {
    SCOPED_TRACE(several);
    Meeting meeting(several ? in_front_of_two("sessions") : in_front_of(upstream()));
    const std::string id = several ? R"("two__t1")" : R"("t1")";
    EXPECT_EQ(at(meeting.call(several ? "two__task" : "task"), "/task/taskId"), id);
    const json::Value result = meeting.ask("tasks/result", fmt::format(R"({{"taskId":{}}})", id));
    EXPECT_EQ(at(result, "/structuredContent/data/text"),
              several ? R"("done: t1 by two")" : R"("done: t1")");
    EXPECT_EQ(at(result, "/_meta/io.modelcontextprotocol~1related-task/taskId"), id);
  }
}

TEST(Tasks, without_a_session_have_their_answer_inside) {
  Meeting meeting(in_front_of(upstream("stateless")), kTasks, true);
  const json::Value handle = meeting.call("task", ending_in(kDone));
  EXPECT_EQ(at(handle, "/taskId"), R"("t1")");
  EXPECT_EQ(at(handle, "/ttlMs"), "null");
  const json::Value got = meeting.ask("tasks/get", R"({"taskId":"t1"})");
  EXPECT_EQ(at(got, "/result/structuredContent/data/text"), R"("it is done")");
  EXPECT_EQ(meeting.lines.back().tool, "task");
  EXPECT_EQ(at(got, "/result/resultType"), R"("complete")");
  EXPECT_EQ(at(got, "/result/isError"), "false");
  EXPECT_EQ(at(got, "/status"), R"("completed")");
  EXPECT_EQ(at(got, "/com.example~1odd"), "1.0") << "all else is as it was";
  EXPECT_EQ(at(got, "/content"), "(none)");
}

TEST(Tasks, that_are_still_at_work_pass) {
  Meeting meeting(in_front_of(upstream("stateless")), kTasks, true);
  meeting.call("task");
  const json::Value got = meeting.ask("tasks/get", R"({"taskId":"t1"})");
  EXPECT_EQ(at(got, "/status"), R"("working")");
  EXPECT_EQ(at(got, "/taskId"), R"("t1")");
}

TEST(Tasks, keep_secrets_and_budgets) {
  for (const std::string id : {"t1", "of somebody else"}) {
    SCOPED_TRACE(id);
    Meeting meeting(in_front_of(upstream("stateless")), kTasks, true);
    meeting.call("task", ending_in(fmt::format(
                             R"("result":{{"content":[{{"type":"text","text":"{} {}"}}]}})", kToken,
                             std::string(300'000, 'x'))));
    const json::Value got = meeting.ask("tasks/get", fmt::format(R"({{"taskId":"{}"}})", id));
    EXPECT_LT(got->raw().size(), 150'000U);
    EXPECT_THAT(json::to_text(got.view()), Not(HasSubstr(kToken)));
    EXPECT_NE(at(got, "/result/structuredContent/meta"), "(none)");
  }
}

TEST(Tasks, that_failed_keep_secrets_too) {
  Meeting meeting(in_front_of(upstream("stateless")), kTasks, true);
  meeting.call("task",
               ending_in(fmt::format(R"("error":{{"code":-32000,"message":"no: {}"}})", kToken)));
  const json::Value got = meeting.ask("tasks/get", R"({"taskId":"t1"})");
  EXPECT_EQ(at(got, "/error/code"), "-32000");
  EXPECT_THAT(at(got, "/error/message"), HasSubstr("REDACTED"));
}

TEST(Tasks, keep_secrets_in_what_they_say_of_themselves) {
  Meeting meeting(in_front_of(upstream("stateless")), kTasks, true);
  meeting.call("task", ending_in(fmt::format(R"("statusMessage":"no: {}")", kToken)));
  EXPECT_THAT(at(meeting.ask("tasks/get", R"({"taskId":"t1"})"), "/statusMessage"),
              HasSubstr("REDACTED"));
}

TEST(Tasks, need_a_client_that_declares_the_extension) {
  Meeting meeting(in_front_of(upstream("stateless")), "{}", true);
  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(at(meeting.ask(method, R"({"taskId":"t1"})"), "/code"), "-32021") << method;
  }
  Meeting declared(in_front_of(upstream("stateless")), kTasks, true);
  for (const std::string method : {"tasks/result", "tasks/list"}) {
    EXPECT_EQ(at(declared.ask(method, R"({"taskId":"t1"})"), "/code"), "-32601") << method;
  }
}

TEST(Tasks, that_are_announced_bring_no_answer_and_no_secret) {
  for (const std::string contract : {"response-v2", "none"}) {
    Meeting meeting(in_front_of(upstream(), contract));
    meeting.call("task_status",
                 ending_in(fmt::format(
                     R"("taskId":"t1","statusMessage":"{}","result":{{"content":[]}})", kToken)));
    const auto told = std::ranges::find_if(meeting.heard, [](const json::Value& one) {
      return one->find("method") && one->find("method")->equals("notifications/tasks/status");
    });
    ASSERT_NE(told, meeting.heard.end());
    EXPECT_EQ(at(*told, "/params/taskId"), R"("t1")");
    const bool as_it_came = contract == "none";
    EXPECT_EQ(at(*told, "/params/result") != "(none)", as_it_came);
    EXPECT_EQ(at(*told, "/params/statusMessage").find(kToken), std::string::npos);
  }
}

TEST(Tasks, notify_a_stateless_client_that_listens) {
  for (const bool several : {false, true}) {
    SCOPED_TRACE(several);
    Meeting meeting(several ? in_front_of_two("stateless") : in_front_of(upstream("stateless")),
                    kTasks, true);
    const std::string prefix = several ? "two__" : "";
    meeting.call(prefix + "task");
    const int listen =
        meeting.start("subscriptions/listen",
                      fmt::format(R"({{"notifications":{{"taskIds":["{}t1"]}}}})", prefix));
    meeting.call(prefix + "task_status", ending_in(R"("taskId":"t1","status":"working")"));
    const auto told = std::ranges::find_if(meeting.heard, [](const json::Value& one) {
      return one->find("method") && one->find("method")->equals("notifications/tasks");
    });
    ASSERT_NE(told, meeting.heard.end());
    EXPECT_EQ(at(*told, "/params/taskId"), json::quote(prefix + "t1"));
    EXPECT_EQ(at(*told, "/params/_meta/io.modelcontextprotocol~1subscriptionId"),
              std::to_string(listen));
  }
}

TEST(Tasks, that_this_session_did_not_start_are_of_a_tool_that_nobody_knows) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value foreign = meeting.ask("tasks/result", R"({"taskId":"t9"})");
  EXPECT_EQ(at(foreign, "/structuredContent/data"), R"({"text":"done: t9"})");
  EXPECT_EQ(meeting.lines.back().tool, Metrics::kUnknown);
}

TEST(Tasks, pass_as_they_are_without_a_contract) {
  Meeting meeting(in_front_of(upstream("stateless"), "none"), kTasks, true);
  meeting.call("task", ending_in(kDone));
  const json::Value got = meeting.ask("tasks/get", R"({"taskId":"t1"})");
  EXPECT_EQ(at(got, "/result/content/0/text"), R"("it is done")");
  EXPECT_EQ(at(got, "/result/structuredContent"), "(none)");
}

TEST(TasksOfSeveralUpstreams, are_told_apart) {
  Meeting meeting(in_front_of_two("stateless"), kTasks, true);
  for (const std::string name : {"one", "two"}) {
    EXPECT_EQ(at(meeting.call(name + "__task", ending_in(kDone)), "/taskId"),
              fmt::format(R"("{}__t1")", name));
  }
  for (const std::string method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
    for (const std::string name : {"one", "two"}) {
      const json::Value got = meeting.ask(method, fmt::format(R"({{"taskId":"{}__t1"}})", name));
      EXPECT_EQ(at(got, "/status"), fmt::format(R"("completed by {}")", name)) << method;
      EXPECT_EQ(at(got, "/taskId"), fmt::format(R"("{}__t1")", name));
    }
  }
  const json::Value unknown = meeting.ask("tasks/get", R"({"taskId":"t1"})");
  EXPECT_EQ(at(unknown, "/code"), "-32602");
  EXPECT_THAT(at(unknown, "/message"), HasSubstr("t1"));
}

TEST(TasksOfManyClients, are_remembered_from_request_to_request_and_for_their_owner) {
  Settings settings = for_many(upstream("stateless"));
  settings.principals = {principal("anna", "anna-0123456789"), principal("ben", "ben-0123456789")};
  Front front(std::move(settings));
  const auto anna = front.voice("anna-0123456789");
  const auto ben = front.voice("ben-0123456789");
  EXPECT_EQ(anna->call("task", ending_in(kDone)).at("/taskId"), R"("t1")");
  const auto get = [](Voice& voice) {
    return voice.request(
        "POST",
        R"({"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t1","_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientInfo":{"name":"tester","version":"1"},)"
        R"("io.modelcontextprotocol/clientCapabilities":)" +
            std::string(kTasks) + "}}}",
        "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tasks/get\nMcp-Name: t1\n");
  };
  EXPECT_EQ(get(*anna).at("/result/structuredContent/data/text"), R"("it is done")");
  EXPECT_EQ(front.lines.back().tool, "task");
  EXPECT_EQ(get(*ben).at("/code"), "-32602") << "it is anna's";
  const Heard in_session = ben->request(
      "POST", R"({"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t1"}})",
      Voice::in(ben->open_session()));
  EXPECT_EQ(in_session.at("/code"), "-32602");
  const Heard all =
      ben->request("POST", R"({"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{}})",
                   Voice::in(ben->open_session()));
  EXPECT_EQ(all.at("/tasks"), "[]") << "nor is it listed";
}

TEST(TasksOfManyClients, that_were_begun_in_a_session_are_of_its_principal) {
  Settings settings = for_many(upstream());
  settings.principals = {principal("anna", "anna-0123456789"), principal("ben", "ben-0123456789")};
  Front front(std::move(settings));
  const auto ask = [](Voice& voice, const std::string& session, const std::string& message) {
    return voice.request("POST", R"({"jsonrpc":"2.0","id":1,)" + message + "}", Voice::in(session));
  };
  const std::string start = R"("method":"tools/call","params":{"name":"task","arguments":{}})";
  const std::string result = R"("method":"tasks/result","params":{"taskId":"t1"})";
  const auto anna = front.voice("anna-0123456789");
  const std::string session = anna->open_session();
  EXPECT_EQ(ask(*anna, session, start).at("/task/taskId"), R"("t1")");
  const auto ben = front.voice("ben-0123456789");
  EXPECT_EQ(ask(*ben, ben->open_session(), result).at("/code"), "-32602");
  EXPECT_EQ(ask(*anna, session, result).at("/structuredContent/data/text"), R"("done: t1")");
  const std::string later = anna->open_session();
  EXPECT_EQ(ask(*anna, later, result).at("/structuredContent/data/text"), R"("done: t1")")
      << "a session that ends takes nothing away";
}

}  // namespace
}  // namespace enfold::gateway
