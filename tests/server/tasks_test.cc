// SPDX-License-Identifier: Apache-2.0
// Tool calls that become tasks: what the client gets, whose they are, and how they end.
#include "enfold/contract/errors/failures.h"
#include "tests/server/talk.h"

#include <gmock/gmock.h>

namespace enfold::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTasks =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

struct Count {
  std::int64_t rows = 0;
  static constexpr auto fields() { return server::fields<&Count::rows>(); }
};

struct Yes {
  bool sure = false;
  static constexpr auto fields() { return server::fields<&Yes::sure>(); }
};

// Asks two questions with the same key, one after the other.
Answer<Text> ask_twice(Context& context) {
  if (context.state()) return Text{"deleted"};
  const auto sure = context.elicit<Yes>("Sure?");
  if (!sure.is_answered()) return sure.question();
  return NeedsInput{{context.elicit<Yes>("Really?").request()}, json::parse_own("1")};
}

Server jobs(std::string contract = "response-v2") {
  Settings settings;
  settings.contract = std::move(contract);
  settings.max_tasks = 2;
  Server server("jobs", "1", std::move(settings));
  server
      .tool("import", "Imports rows",
            [](Context& context) {
              context.progress(1, 2, "half of it");
              return Count{2};
            })
      .task();
  server.tool("report", "Writes a long text", [] { return Text{std::string(300'000, 'x')}; })
      .task();
  server
      .tool("fails", "Fails",
            []() -> Answer<Text> {
              return contract::make_failure(contract::failures::NotFound{"Book", "7"});
            })
      .task();
  server.tool("only_task", "Imports", [] { return Count{1}; }).task({.required = true});
  server.tool("deletes", "Deletes", ask_twice).task();
  server
      .tool("roots", "Asks for roots",
            []() -> Answer<Text> { return NeedsInput{{mcp::ask_roots("roots")}, {}}; })
      .task();
  server
      .tool("later", "Asks first",
            [](Context& context) -> Answer<Text> {
              const auto sure = context.elicit<Yes>("Sure?");
              if (!sure.is_answered()) return sure.question();
              context.start_task();
              return Text{"done"};
            })
      .task({.start_at_once = false});
  return server;
}

// A client that declared the extension.
struct Client {
  explicit Client(Server& server) : talk(server) {}

  json::Value call(const std::string& tool) {
    return talk.answer_to(talk.start("tools/call", params(R"("name":")" + tool + '"')));
  }
  json::Value get(const std::string& id) { return ask("tasks/get", id); }
  json::Value ask(const std::string& method, const std::string& id, const std::string& more = "") {
    return talk.answer_to(talk.start(method, params(R"("taskId":)" + id + more)));
  }
  json::Value answer(const std::string& id, const std::string& responses) {
    return ask("tasks/update", id, R"(,"inputResponses":)" + responses);
  }
  std::string params(const std::string& members) const {
    return "{" + members + R"(,"_meta":)" + stateless_meta("", capabilities) + "}";
  }

  Talk talk;
  std::string capabilities = kTasks;
};

TEST(ServerTasks, answer_with_a_handle_and_end_with_the_answer_of_the_direct_call) {
  Server server = jobs();
  Client client(server);
  const json::Value handle = client.call("import");
  EXPECT_EQ(at(handle, "/resultType"), R"("task")");
  EXPECT_EQ(at(handle, "/status"), R"("working")");
  EXPECT_EQ(at(handle, "/ttlMs"), "3600000");
  EXPECT_EQ(at(handle, "/pollIntervalMs"), "1000");
  EXPECT_EQ(at(handle, "/createdAt"), R"("2027-01-15T08:00:00Z")");
  const std::string id = at(handle, "/taskId");
  EXPECT_EQ(at(client.get(id), "/status"), R"("working")");
  client.talk.host.run();
  const json::Value done = client.get(id);
  EXPECT_EQ(at(done, "/resultType"), R"("complete")");
  EXPECT_EQ(at(done, "/status"), R"("completed")");
  EXPECT_EQ(at(done, "/statusMessage"), R"("half of it")");
  EXPECT_EQ(at(done, "/result/resultType"), R"("complete")");
  EXPECT_EQ(at(done, "/result/structuredContent/data"), R"({"rows":2})");
  EXPECT_EQ(at(done, "/requestState"), "(none)");

  client.capabilities = "{}";
  const json::Value direct = client.talk.ask("tools/call", client.params(R"("name":"import")"));
  EXPECT_EQ(at(direct, "/structuredContent/data"), R"({"rows":2})");
  EXPECT_EQ(at(direct, "/taskId"), "(none)");
}

TEST(ServerTasks, are_announced_as_an_extension) {
  Server server = jobs();
  Talk talk(server);
  const json::Value found = talk.ask("server/discover", R"({"_meta":)" + stateless_meta() + "}");
  EXPECT_EQ(at(found, "/capabilities/extensions"), R"({"io.modelcontextprotocol/tasks":{}})");
  Server without("plain", "1");
  Talk plain(without);
  EXPECT_EQ(at(plain.ask("server/discover", R"({"_meta":)" + stateless_meta() + "}"),
               "/capabilities/extensions"),
            "(none)");
}

TEST(ServerTasks, cut_and_archive_their_answer) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("report"), "/taskId");
  client.talk.host.run();
  const json::Value done = client.get(id);
  EXPECT_LT(done->raw().size(), 150'000U);
  EXPECT_THAT(json::to_text(done.view()), HasSubstr("enfold_fetch"));
}

TEST(ServerTasks, that_fail_as_a_tool_are_completed_and_as_a_protocol_failed) {
  Server server = jobs();
  Client client(server);
  const std::string missing = at(client.call("fails"), "/taskId");
  const std::string broken = at(client.call("roots"), "/taskId");
  client.talk.host.run();
  EXPECT_EQ(at(client.get(missing), "/status"), R"("completed")");
  EXPECT_EQ(at(client.get(missing), "/result/isError"), "true");
  EXPECT_EQ(at(client.get(broken), "/status"), R"("failed")");
  EXPECT_EQ(at(client.get(broken), "/error/code"), "-32021");
  EXPECT_EQ(at(client.get(broken), "/result"), "(none)");
}

TEST(ServerTasks, ask_for_input_with_keys_that_are_never_used_twice) {
  Server server = jobs("none");
  Client client(server);
  const std::string id = at(client.call("deletes"), "/taskId");
  client.talk.host.run();
  EXPECT_EQ(at(client.get(id), "/status"), R"("input_required")");
  EXPECT_EQ(at(client.get(id), "/inputRequests/form/params/message"), R"("Sure?")");
  const std::string accepted = R"({"action":"accept","content":{"sure":true}})";
  EXPECT_EQ(at(client.answer(id, R"({"other":)" + accepted + "}"), "/resultType"), R"("complete")");
  EXPECT_EQ(at(client.get(id), "/status"), R"("input_required")") << "nothing was answered";
  EXPECT_EQ(at(client.answer(id, R"({"form":)" + accepted + "}"), "/taskId"), "(none)");
  EXPECT_EQ(at(client.get(id), "/status"), R"("working")");
  client.talk.host.run();
  EXPECT_EQ(at(client.get(id), "/inputRequests/form"), "(none)");
  EXPECT_EQ(at(client.get(id), "/inputRequests/form_2/params/message"), R"("Really?")");
  (void)client.answer(id, R"({"form_2":)" + accepted + "}");
  client.talk.host.run();
  EXPECT_EQ(at(client.get(id), "/result/content/0/text"), R"("deleted")");
}

TEST(ServerTasks, start_when_the_handler_says_so) {
  Server server = jobs("none");
  Client client(server);
  const json::Value question = client.talk.ask("tools/call", client.params(R"("name":"later")"));
  EXPECT_EQ(at(question, "/resultType"), R"("input_required")");
  EXPECT_EQ(at(question, "/taskId"), "(none)");
  const json::Value handle = client.talk.ask(
      "tools/call",
      client.params(R"("name":"later","inputResponses":{"form":)"
                    R"({"action":"accept","content":{"sure":true}}},"requestState":)" +
                    at(question, "/requestState")));
  EXPECT_EQ(at(handle, "/resultType"), R"("task")");
  EXPECT_EQ(at(client.get(at(handle, "/taskId")), "/result/content/0/text"), R"("done")");
}

TEST(ServerTasks, are_cancelled_and_stay_so) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  EXPECT_EQ(at(client.ask("tasks/cancel", id), "/resultType"), R"("complete")");
  client.talk.host.run();
  EXPECT_EQ(at(client.get(id), "/status"), R"("cancelled")");
  EXPECT_EQ(at(client.get(id), "/result"), "(none)");
  EXPECT_EQ(at(client.ask("tasks/cancel", id), "/resultType"), R"("complete")");
}

TEST(ServerTasks, outlive_the_connection_that_started_them) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.reconnect();
  client.talk.host.run();
  EXPECT_EQ(at(client.get(id), "/status"), R"("completed")");
}

TEST(ServerTasks, belong_to_their_principal) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.host.run();
  client.talk.reconnect("somebody else");
  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(at(client.ask(method, id), "/code"), "-32602") << method;
  }
  client.talk.reconnect();
  EXPECT_EQ(at(client.get(id), "/status"), R"("completed")");
  EXPECT_EQ(at(client.get(R"("task_0")"), "/code"), "-32602");
}

TEST(ServerTasks, are_forgotten_after_their_time_to_live) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.host.advance(std::chrono::minutes(59));
  EXPECT_EQ(at(client.get(id), "/taskId"), id);
  client.talk.host.advance(std::chrono::minutes(1));
  EXPECT_EQ(at(client.get(id), "/code"), "-32602");
  client.talk.host.run();
}

TEST(ServerTasks, miss_a_deadline_of_their_own) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.host.advance(std::chrono::minutes(9));
  EXPECT_EQ(at(client.get(id), "/status"), R"("working")");
  client.talk.host.advance(std::chrono::minutes(1));
  EXPECT_EQ(at(client.get(id), "/status"), R"("completed")");
  EXPECT_EQ(at(client.get(id), "/result/isError"), "true");
}

TEST(ServerTasks, are_limited_for_each_principal) {
  Server server = jobs();
  Client client(server);
  const std::string first = at(client.call("import"), "/taskId");
  const std::string second = at(client.call("import"), "/taskId");
  EXPECT_THAT(json::to_text(client.call("import").view()), HasSubstr("UNAVAILABLE"));
  client.talk.host.run();
  const std::string refused = json::to_text(client.call("import").view());
  EXPECT_THAT(refused, HasSubstr("There are 2 tasks already, which is the most"));
  EXPECT_THAT(refused, HasSubstr("3600"));
  EXPECT_EQ(at(client.get(first), "/status"), R"("completed")") << "it lasts for its time to live";
  EXPECT_EQ(at(client.get(second), "/status"), R"("completed")");
  client.talk.host.advance(std::chrono::hours(1));
  EXPECT_EQ(at(client.call("import"), "/resultType"), R"("task")");
}

// The params of each notifications/tasks so far.
std::vector<json::Value> told(const Talk& talk) {
  std::vector<json::Value> params;
  for (const json::Value& message : talk.heard) {
    const auto method = message->find("method");
    if (method && method->equals("notifications/tasks"))
      params.emplace_back(*message->find("params"));
  }
  return params;
}

TEST(ServerTasks, notify_a_client_that_listens_of_each_status) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  const std::int64_t listen = client.talk.start(
      "subscriptions/listen", client.params(R"("notifications":{"taskIds":[)" + id + "]}"));
  EXPECT_EQ(at(client.talk.heard.at(1), "/params/notifications/taskIds/0"), id);
  client.talk.host.run();
  const std::vector<json::Value> notices = told(client.talk);
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_EQ(at(notices[0], "/status"), R"("working")");
  EXPECT_EQ(at(notices[1], "/status"), R"("completed")");
  EXPECT_EQ(at(notices[1], "/result/structuredContent/data"), R"({"rows":2})");
  for (const json::Value& one : notices) {
    EXPECT_EQ(at(one, "/taskId"), id);
    EXPECT_EQ(at(one, "/_meta/io.modelcontextprotocol~1subscriptionId"), std::to_string(listen));
  }
}

TEST(ServerTasks, notify_of_messages_not_more_often_than_clients_should_ask) {
  Server server("jobs", "1");
  std::vector<Reply<Count>> open;
  server.tool("import", "Imports", [&](Reply<Count> reply) { open.push_back(reply); }).task();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.start("subscriptions/listen",
                    client.params(R"("notifications":{"taskIds":[)" + id + "]}"));
  for (int row = 1; row <= 100; ++row) {
    open[0].context().progress(row);
    client.talk.host.run();
    client.talk.host.advance(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(told(client.talk).size(), ::testing::AllOf(::testing::Ge(4U), ::testing::Le(7U)));
  (void)client.ask("tasks/cancel", id);
  EXPECT_EQ(at(told(client.talk).back(), "/status"), R"("cancelled")");
}

TEST(ServerTasks, notify_their_principal_alone_and_only_who_listens) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.talk.reconnect("somebody else");
  client.talk.start("subscriptions/listen",
                    client.params(R"("notifications":{"taskIds":[)" + id + "]}"));
  client.talk.host.run();
  EXPECT_TRUE(told(client.talk).empty());
}

TEST(ServerTasks, notify_no_client_that_has_stopped_listening) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  const std::int64_t listen = client.talk.start(
      "subscriptions/listen", client.params(R"("notifications":{"taskIds":[)" + id + "]}"));
  client.talk.say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})",
      listen));
  client.talk.host.run();
  EXPECT_EQ(told(client.talk).size(), 1U);
}

TEST(ServerTasks, need_a_client_that_declares_the_extension) {
  Server server = jobs();
  Client client(server);
  const std::string id = at(client.call("import"), "/taskId");
  client.capabilities = "{}";
  const std::string needed = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const json::Value refused = client.ask(method, id);
    EXPECT_EQ(at(refused, "/code"), "-32021") << method;
    EXPECT_EQ(at(refused, "/data/requiredCapabilities"), needed);
  }
  EXPECT_EQ(at(client.call("only_task"), "/code"), "-32021");
  client.capabilities = kTasks;
  for (const std::string method : {"tasks/result", "tasks/list"}) {
    EXPECT_EQ(at(client.ask(method, id), "/code"), "-32601") << method;
  }
}

TEST(ServerTasks, do_not_exist_in_a_session) {
  Server server = jobs();
  Talk talk(server);
  talk.open_session(kTasks);
  EXPECT_EQ(at(talk.call("import", "{}"), "/data"), R"({"rows":2})");
  EXPECT_EQ(at(talk.ask("tasks/get", R"({"taskId":"t"})"), "/code"), "-32601");
}

}  // namespace
}  // namespace enfold::server
