// SPDX-License-Identifier: Apache-2.0
// Two peers, one wire, no transport: what a server's application says is what a client's
// application hears, in each era; and what another server said leaves as it came.
#include "enfold/json/document.h"
#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/peer/server_peer.h"
#include "enfold/schema/schema.h"
#include "tests/mcp/transcript.h"
#include "tests/support/answers.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace enfold::mcp {
namespace {

class Wire {
 public:
  explicit Wire(ClientConfig::Eras eras)
      : server(std::make_shared<const ServerConfig>(testing::fixture_config())),
        client(config(eras)) {
    to_server(client.start(Time(0)));
  }

  static ClientConfig config(ClientConfig::Eras eras) {
    ClientConfig out;
    out.info = json::parse_own(R"({"name":"c","version":"1"})");
    out.capabilities = Capabilities(json::parse_own(R"({"elicitation":{},"roots":{}})"));
    out.eras = eras;
    return out;
  }

  /// Delivers until nobody has anything to say; calls and reports are kept.
  void to_server(ClientActions actions) {
    for (ClientAction& action : actions) {
      if (auto* transmit = std::get_if<Transmit>(&action)) {
        sent.push_back(transmit->message.str());
        to_client(server.receive_bytes(json::Buffer(sent.back())));
      } else {
        reports.push_back(std::move(action));
      }
    }
  }
  void to_client(ServerActions actions) {
    for (ServerAction& action : actions) {
      if (auto* send = std::get_if<Send>(&action)) {
        received.push_back(send->message.str());
        to_server(client.receive_bytes(json::Buffer(received.back()), Time(0)));
      } else if (auto* call = std::get_if<Call>(&action)) {
        calls.push_back(std::move(*call));
      }
    }
  }
  CallKey call(const char* method, json::Value params) {
    CallOptions options;
    options.method = method;
    options.params = std::move(params);
    const auto key = static_cast<CallKey>(++last_call);
    to_server(client.call(key, std::move(options), Time(0)).value());
    return key;
  }

  ServerPeer server;
  ClientPeer client;
  std::uint64_t last_call = 0;
  std::vector<Call> calls;
  std::vector<ClientAction> reports;
  std::vector<std::string> sent;
  std::vector<std::string> received;
};

// What a stranger's server might say: known members in any order, and others.
json::Value draw_result(bool with_meta) {
  std::vector<std::string> keys{"content", "structuredContent", "isError", "futureMember"};
  if (with_meta) keys.emplace_back("_meta");
  std::rotate(keys.begin(),
              keys.begin() + enfold::testing::draw_below(static_cast<int>(keys.size())),
              keys.end());
  json::Writer writer;
  writer.begin_object();
  for (const std::string& key : keys) {
    if (key != "content" && !enfold::testing::draw_chance(6)) continue;
    writer.key(key);
    if (key == "isError") {
      writer.boolean(enfold::testing::draw_chance(5));
    } else if (key == "content") {
      writer.begin_array();
      for (int i = enfold::testing::draw_below(4); i > 0; --i) {
        writer.value(enfold::testing::draw_object());
      }
      writer.end_array();
    } else {
      writer.value(enfold::testing::draw_object());
    }
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

constexpr ClientConfig::Eras kEras[] = {ClientConfig::Eras::sessions,
                                        ClientConfig::Eras::stateless};

TEST(Relay, a_client_of_each_era_becomes_ready) {
  for (const auto eras : kEras) {
    Wire wire(eras);
    ASSERT_EQ(wire.reports.size(), 1U);
    const auto& ready = std::get<Ready>(wire.reports.front());
    EXPECT_EQ(ready.server.era == Era::sessions, eras == ClientConfig::Eras::sessions);
    EXPECT_EQ(ready.server.instructions, "Fixture server for gateway tests.");
    EXPECT_TRUE(ready.server.capabilities.has("resources", "subscribe"));
    EXPECT_EQ(json::string_member(ready.server.info.view(), "name"), "fixture-server");
  }
}

TEST(Relay, an_application_that_asks_needs_not_know_the_era) {
  for (const auto eras : kEras) {
    Wire wire(eras);
    wire.reports.clear();
    const CallKey call = wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
    ASSERT_EQ(wire.calls.size(), 1U);
    InputRequired required;
    required.requests.push_back(ask_roots("roots"));
    required.state = "s";
    wire.to_client(wire.server.reply(wire.calls.back().key, required, Time(0)));
    ASSERT_EQ(wire.reports.size(), 1U);
    const auto& asked = std::get<ServerRequest>(wire.reports.front());
    wire.to_server(wire.client.answer(
        asked.key, json::parse_own(R"({"roots":[{"uri":"file:///a"}]})"), Time(0)));
    ASSERT_EQ(wire.calls.size(), 2U);
    EXPECT_EQ(wire.calls.back().inputs.state, "s");
    ASSERT_NE(wire.calls.back().inputs.find("roots"), nullptr);
    EXPECT_EQ(read_roots(wire.calls.back().inputs.find("roots")->view()).front().uri, "file:///a");
    wire.to_client(wire.server.reply(wire.calls.back().key,
                                     complete(text_result("done"), Era::sessions), Time(0)));
    ASSERT_EQ(wire.reports.size(), 2U);
    EXPECT_EQ(std::get<ResultReport>(wire.reports.back()).call, call);
    EXPECT_EQ(wire.server.open_calls(), 0U);
    EXPECT_EQ(wire.client.calls().size(), 0U);
  }
}

RC_GTEST_PROP(Relay, a_session_hears_a_sessions_result_byte_for_byte, ()) {
  Wire wire(ClientConfig::Eras::sessions);
  wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
  const json::Value result = draw_result(true);
  wire.to_client(wire.server.reply(wire.calls.back().key, UpstreamResult{result}, Time(0)));
  RC_ASSERT(wire.received.back().find("\"result\":" + json::to_text(result.view())) !=
            std::string::npos);
  RC_ASSERT(std::get<ResultReport>(wire.reports.back()).result == result);
}

TEST(Relay, a_result_passes_within_an_era_byte_for_byte) {
  const std::string strange = "{ \"resultType\":\r\"complete\" ,\n\"content\":[] ,\"x\": 1E+02}";
  for (const Era era : {Era::sessions, Era::stateless}) {
    Wire wire(era == Era::sessions ? ClientConfig::Eras::sessions : ClientConfig::Eras::stateless);
    wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
    wire.to_client(wire.server.reply(wire.calls.back().key,
                                     UpstreamResult{json::parse_own(strange), era}, Time(0)));
    EXPECT_NE(wire.received.back().find("\"result\":" + strange + "}"), std::string::npos);
  }
}

TEST(Relay, a_session_does_not_get_the_result_type_of_a_stateless_server) {
  Wire wire(ClientConfig::Eras::sessions);
  wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
  const json::Value result = json::parse_own(R"({"content":[],"resultType":"complete"})");
  wire.to_client(
      wire.server.reply(wire.calls.back().key, UpstreamResult{result, Era::stateless}, Time(0)));
  EXPECT_NE(wire.received.back().find(R"("result":{"content":[]}})"), std::string::npos);
}

TEST(Relay, a_result_of_a_session_is_complete_for_a_stateless_client) {
  Wire wire(ClientConfig::Eras::stateless);
  const CallKey call = wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
  const json::Value result =
      json::parse_own(R"({"resultType":"input_required","content":[],"inputRequests":{}})");
  wire.to_client(
      wire.server.reply(wire.calls.back().key, UpstreamResult{result, Era::sessions}, Time(0)));
  const auto* const report = std::get_if<ResultReport>(&wire.reports.back());
  ASSERT_NE(report, nullptr);
  EXPECT_EQ(report->call, call);
  EXPECT_EQ(json::string_member(report->result.view(), "resultType"), "complete");
  EXPECT_TRUE(report->result->find("_meta")) << "with the server's name";
}

TEST(Relay, the_hint_names_the_timeout_that_ended_the_call) {
  struct Case {
    Time idle;
    Time whole;
    const char* hint;
  };
  for (const Case& one : {Case{Time(50), Time(0), "given 0.05 seconds without progress"},
                          Case{Time(50), Time(90), "given 0.09 seconds in all"}}) {
    Wire wire(ClientConfig::Eras::stateless);
    CallOptions options;
    options.method = "tools/call";
    options.params = json::parse_own(R"({"name":"a"})");
    options.wants_progress = true;
    options.idle_timeout = one.idle;
    options.call_timeout = one.whole;
    (void)wire.client.call(CallKey(7), std::move(options), Time(0)).value();
    if (one.whole.count() > 0) {
      (void)wire.client.receive_bytes(
          json::Buffer(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                       R"("params":{"progressToken":7,"progress":1}})"),
          Time(45));
    }
    const ClientActions actions = wire.client.tick(Time(one.whole.count() > 0 ? 90 : 50));
    const auto* const report = std::get_if<NoAnswerReport>(&actions.back());
    ASSERT_NE(report, nullptr);
    EXPECT_NE(report->error.hint.find(one.hint), std::string::npos) << report->error.hint;
  }
}

TEST(Relay, a_line_has_no_line_feed_and_is_otherwise_as_written) {
  EXPECT_EQ(to_line(write_response(Id(1), json::parse_own("{\"a\":\r\n[ 1E2,\n\"\\n\" ]}").view())),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\r [ 1E2, \"\\n\" ]}}");
}

// The result of a stateless server as a session gets it.
json::Value to_session(const char* method, const std::string& result) {
  Wire wire(ClientConfig::Eras::sessions);
  wire.call(method, json::parse_own(R"({"name":"a"})"));
  const json::Value upstream = json::parse_own(result);
  wire.to_client(
      wire.server.reply(wire.calls.back().key, UpstreamResult{upstream, Era::stateless}, Time(0)));
  return std::get<ResultReport>(wire.reports.back()).result;
}

json::Value tool_in_session(const std::string& output_schema) {
  const json::Value list =
      to_session("tools/list", R"({"resultType":"complete","tools":[{"name":"a","inputSchema":)"
                               R"({"type":"object"},"outputSchema":)" +
                                   output_schema + "}]}");
  return json::Value(*list->find("tools")->item(0));
}

TEST(Relay, a_schema_that_would_mean_something_else_inside_another_is_not_told_to_a_session) {
  for (const std::string reference :
       {R"("$id":"#item","items":{"$ref":"#/definitions/x"})", R"("items":{"$dynamicRef":"#x"})",
        R"("items":{"$recursiveRef":"#"})", R"("items":{"$ref":"#anchor"})",
        R"("$id":"https://example.com/s","items":{"$ref":"#/$defs/x"})"}) {
    EXPECT_FALSE(tool_in_session(R"({"type":"array",)" + reference + "}")->find("outputSchema"))
        << reference;
    EXPECT_TRUE(tool_in_session(R"({"type":"object",)" + reference + "}")->find("outputSchema"))
        << reference;
  }
}

// Schemas of a stateless server; a session gets them, and results that obey them, in another form.
TEST(Relay, a_result_obeys_the_output_schema_that_the_session_was_told) {
  struct Case {
    const char* schema;
    std::vector<const char*> valid;
    std::vector<const char*> invalid;
  };
  const char* const linked =
      R"({"$ref":"#/$defs/n","$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}},)"
      R"("type":["object","null"]}}})";
  for (const Case& one : {
           Case{R"({"type":"object","required":["a"]})", {R"({"a":1})"}, {"{}", "[]"}},
           Case{R"({"anyOf":[{"type":"object"}]})", {R"({"a":1})"}, {}},
           Case{R"({"type":"array","items":{"$ref":"#/$defs/x"},"$defs":{"x":{"type":"integer"}}})",
                {"[1]"},
                {R"(["a"])", R"({"result":["a"]})"}},
           Case{R"({"type":["object","string"],"required":["a"]})",
                {R"({"a":1})", R"("text")"},
                {"{}", "1"}},
           Case{R"({"oneOf":[{"type":"object"},{"type":"array","items":{"type":"integer"}}]})",
                {R"({"a":1})", "[1]", "{}"},
                {}},
           Case{linked, {"{}", R"({"next":{"next":null}})", "null"}, {R"({"next":1})"}},
           Case{R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"const":1}]})",
                {"[1]", "{}"},
                {}},
           Case{R"({"enum":[{"$ref":"#/a"},1]})", {R"({"$ref":"#/a"})", "1"}, {"2"}},
           Case{"{}", {"{}", "1"}, {}},
       }) {
    const json::Value tool = tool_in_session(one.schema);
    ASSERT_TRUE(tool->find("outputSchema")) << one.schema;
    const json::Value announced(*tool->find("outputSchema"));
    EXPECT_EQ(json::string_member(announced.view(), "type"), "object") << "sessions need it";
    const auto compiled = schema::Schema::compile(announced);
    ASSERT_TRUE(compiled) << one.schema << compiled.error().message;
    const auto accepts = [&](const char* content) {
      const json::Value result =
          to_session("tools/call",
                     std::string(R"({"resultType":"complete","content":[],"structuredContent":)") +
                         content + "}");
      return *compiled->accepts(*result->find("structuredContent"));
    };
    for (const char* content : one.valid) EXPECT_TRUE(accepts(content)) << one.schema << content;
    for (const char* content : one.invalid) EXPECT_FALSE(accepts(content)) << one.schema << content;
  }
}

RC_GTEST_PROP(Relay, a_whole_stateless_result_passes_byte_for_byte, ()) {
  Wire wire(ClientConfig::Eras::stateless);
  wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
  json::Writer writer;
  writer.begin_object();
  const json::Value drawn = draw_result(true);
  for (const json::Member& member : drawn->members()) {
    writer.key(member.key).value(member.value);
  }
  const json::Value result =
      std::move(writer.member("resultType", "complete").end_object()).finish_value();
  wire.to_client(wire.server.reply(wire.calls.back().key, UpstreamResult{result}, Time(0)));
  RC_ASSERT(wire.received.back().find("\"result\":" + json::to_text(result.view())) !=
            std::string::npos);
  RC_ASSERT(std::get<ResultReport>(wire.reports.back()).result == result);
}

RC_GTEST_PROP(Relay, both_forms_of_a_result_of_our_own_are_equal, ()) {
  const json::Value as_value = draw_result(false);
  json::Writer writer;
  writer.value(as_value);
  json::Output as_output = std::move(writer).finish();
  std::vector<std::string> said;
  for (const bool output : {true, false}) {
    Wire wire(ClientConfig::Eras::stateless);
    wire.call("tools/call", json::parse_own(R"({"name":"a"})"));
    CompleteResult answer = output ? complete(std::move(as_output)) : complete(as_value);
    wire.to_client(wire.server.reply(wire.calls.back().key, std::move(answer), Time(0)));
    said.push_back(wire.received.back());
  }
  RC_ASSERT(json::parse_own(said[0]) == json::parse_own(said[1]));
}

RC_GTEST_PROP(Relay, arguments_reach_the_application_as_they_were, ()) {
  for (const auto eras : kEras) {
    Wire wire(eras);
    json::Writer writer;
    const json::Value arguments = enfold::testing::draw_object();
    const json::Value future = enfold::testing::draw_value();
    writer.begin_object().member("name", "a").member("arguments", arguments);
    writer.member("future", future).end_object();
    wire.call("tools/call", std::move(writer).finish_value());
    const Call& call = wire.calls.back();
    RC_ASSERT(std::get<ToolCall>(call.params).arguments->raw() == json::to_text(arguments.view()));
    RC_ASSERT(json::Value(*call.raw_params->find("future")) == future);
  }
}

}  // namespace
}  // namespace enfold::mcp
