// SPDX-License-Identifier: Apache-2.0
// Questions from within a handler, in both eras; contract `none`; resources, prompts, completion.
#include "enfold/contract/errors/failures.h"
#include "enfold/json/document.h"
#include "tests/server/talk.h"

namespace enfold::server {
namespace {

constexpr const char* kElicits = R"({"elicitation":{}})";

Answer<Text> greet(const NoArguments&, Context& context) {
  if (const json::Value* said = context.input("who")) {
    const auto name =
        json::string_member(mcp::read_elicit_result(said->view())->content.view(), "name");
    return Text{"Hello, " + name.value_or("nobody") + "!" + (context.state() ? " kept" : "")};
  }
  const json::Value schema =
      json::parse_own(R"({"type":"object","properties":{"name":{"type":"string"}}})");
  return NeedsInput{{mcp::ask_form("who", "Who?", schema.view())}, json::parse_own(R"({"n":1})")};
}

Server bare_server() {
  Settings settings;
  settings.contract = "none";
  settings.local_tools = false;
  Server server("bare", "1", std::move(settings));
  server.tool("greet", "Greets whoever is there", greet);
  server.tool("picture", "Shows a picture", [](const NoArguments&, Context& context) {
    context.attach(image_block("AAAA", "image/png"));
    return BlocksOnly{};
  });
  server.tool("fails", "Fails", [](const NoArguments&) -> Answer<Text> {
    return contract::make_failure(contract::failures::NotFound{"Book", "7"});
  });
  server.tool("steps", "Reports", [](const NoArguments&, Context& context) {
    context.progress(1, 2, "half");
    context.log(mcp::LogLevel::info, "working");
    context.progress(2, 2);
    return Text{"done"};
  });
  server.resource({.uri = "book://1",
                   .name = "one",
                   .mime_type = "text/plain",
                   .read = [](const std::string&, const Texts&, Context&) {
                     return Answer<ResourceContent>(ResourceContent{"", "Dune", ""});
                   }});
  server.resource_template({.uri = "book://shelf/{n}",
                            .name = "shelf",
                            .arguments = {{"n", "", true,
                                           [](const std::string& typed) {
                                             return std::vector<std::string>{typed + "1"};
                                           }}},
                            .read = [](const std::string&, const Texts& variables, Context&) {
                              return Answer<ResourceContent>(
                                  ResourceContent{"", "shelf " + variables.at("n"), ""});
                            }});
  server.prompt({.name = "review",
                 .arguments = {{"title", "", true, {}}},
                 .get = [](const Texts& given, Context&) {
                   return Answer<PromptText>(
                       PromptText{"", {user_text("Review " + given.at("title"))}});
                 }});
  return server;
}

std::string text(const json::Value& result) {
  const std::string quoted = at(result, "/content/0/text");
  return quoted;
}

TEST(ServerInput, asks_the_client_of_a_session_and_goes_on_with_the_answer) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session(kElicits);
  const std::int64_t id = talk.start("tools/call", R"({"name":"greet"})");
  ASSERT_EQ(talk.heard.size(), 1U);
  EXPECT_EQ(at(talk.heard[0], "/method"), R"("elicitation/create")");
  talk.say(R"({"jsonrpc":"2.0","id":)" + at(talk.heard[0], "/id") +
           R"(,"result":{"action":"accept","content":{"name":"Ada"}}})");
  EXPECT_EQ(text(talk.answer_to(id)), R"("Hello, Ada! kept")");
}

TEST(ServerInput, asks_a_stateless_client_within_the_result) {
  Server server = bare_server();
  Talk talk(server);
  const json::Value first =
      talk.ask("tools/call", R"({"name":"greet","_meta":)" + stateless_meta("", kElicits) + "}");
  EXPECT_EQ(at(first, "/resultType"), R"("input_required")");
  const std::string again =
      R"({"name":"greet","inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}},)"
      R"("requestState":STATE,"_meta":)" +
      stateless_meta("", kElicits) + "}";
  const auto with_state = [&](const std::string& state) {
    std::string out = again;
    return out.replace(out.find("STATE"), 5, state);
  };
  const std::string state = at(first, "/requestState");
  EXPECT_EQ(text(talk.ask("tools/call", with_state(state))), R"("Hello, Ada! kept")");
  std::string forged = state;
  forged[forged.size() / 2] = forged[forged.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_EQ(at(talk.ask("tools/call", with_state(forged)), "/code"), "-32602");
  talk.host.time += std::chrono::hours(2);
  EXPECT_EQ(at(talk.ask("tools/call", with_state(state)), "/code"), "-32602");
}

TEST(ServerInput, does_not_ask_for_what_the_client_cannot_do) {
  Server server = bare_server();
  Talk talk(server);
  EXPECT_EQ(
      at(talk.ask("tools/call", R"({"name":"greet","_meta":)" + stateless_meta() + "}"), "/code"),
      "-32021");
}

TEST(ServerInput, answers_bare_with_contract_none) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(json::to_text(talk.ask("tools/call", R"({"name":"picture"})").view()),
            R"({"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]})");
  const json::Value failed = talk.ask("tools/call", R"({"name":"fails"})");
  EXPECT_EQ(at(failed, "/isError"), "true");
  EXPECT_EQ(text(failed),
            R"("Book '7' not found\nVerify that the book ID exists and is spelled correctly.")");
  EXPECT_EQ(at(talk.ask("tools/list", "{}"), "/tools/0/outputSchema"), "(none)");
}

TEST(ServerInput, reports_while_it_works) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session();
  (void)talk.ask("tools/call", R"({"name":"steps","_meta":{"progressToken":"p"}})");
  ASSERT_EQ(talk.heard.size(), 4U);
  EXPECT_EQ(at(talk.heard[0], "/params"),
            R"({"progressToken":"p","progress":1,"total":2,"message":"half"})");
  EXPECT_EQ(at(talk.heard[1], "/params/data"), R"("working")");
  EXPECT_EQ(at(talk.heard[2], "/params/progress"), "2");
}

TEST(ServerInput, reads_resources_and_templates) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(at(talk.ask("resources/read", R"({"uri":"book://1"})"), "/contents/0"),
            R"({"uri":"book://1","mimeType":"text/plain","text":"Dune"})");
  EXPECT_EQ(at(talk.ask("resources/read", R"({"uri":"book://shelf/9"})"), "/contents/0/text"),
            R"("shelf 9")");
  EXPECT_EQ(at(talk.ask("resources/read", R"({"uri":"book://x"})"), "/code"), "-32002");
  EXPECT_EQ(at(talk.ask("resources/read", R"({"uri":"book://x","_meta":)" + stateless_meta() + "}"),
               "/code"),
            "-32602");
  EXPECT_EQ(at(talk.ask("completion/complete",
                        R"({"ref":{"type":"ref/resource","uri":"book://shelf/{n}"},)"
                        R"("argument":{"name":"n","value":"4"}})"),
               "/completion/values"),
            R"(["41"])");
}

TEST(ServerInput, gives_prompts) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(at(talk.ask("prompts/get", R"({"name":"review","arguments":{"title":"Dune"}})"),
               "/messages/0/content/text"),
            R"("Review Dune")");
  EXPECT_EQ(at(talk.ask("prompts/get", R"({"name":"review"})"), "/code"), "-32602");
  EXPECT_EQ(at(talk.ask("prompts/get", R"({"name":"reviews"})"), "/message"),
            R"("Unknown prompt: \"reviews\", did you mean \"review\"?")");
}

TEST(ServerInput, tells_sessions_and_subscribers_of_changes) {
  Server server = bare_server();
  Talk talk(server);
  talk.open_session();
  talk.say(R"({"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{)"
           R"("notifications":{"toolsListChanged":true},"_meta":)" +
           stateless_meta() + "}}");
  talk.heard.clear();
  talk.dispatcher->list_changed(mcp::ListKind::tools);
  ASSERT_EQ(talk.heard.size(), 2U);
  EXPECT_EQ(at(talk.heard[0], "/method"), R"("notifications/tools/list_changed")");
  EXPECT_EQ(at(talk.heard[1], "/params/_meta/io.modelcontextprotocol~1subscriptionId"), R"("s")");
}

}  // namespace
}  // namespace enfold::server
