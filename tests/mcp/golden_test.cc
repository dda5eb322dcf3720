// SPDX-License-Identifier: Apache-2.0
// The recorded exchanges of tests/golden/wire: our side, given the same request and the same
// application, answers with the same status, the same error and the same result.
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/http.h"
#include "enfold/mcp/wire/protocol.h"
#include "enfold/mcp/wire/sse.h"
#include "tests/mcp/transcript.h"
#include "tests/support/goldens.h"

#include <gtest/gtest.h>

namespace enfold::mcp::testing {
namespace {

using enfold::testing::entries_of;
using enfold::testing::golden_folder;
using enfold::testing::Path;
using enfold::testing::read_json_file;

struct Recorded {
  explicit Recorded(const Path& file) : name(file.stem().string()), whole(read_json_file(file)) {
    request = *whole->find("request");
    response = *whole->find("response");
    if (const auto headers = request.find("headers")) {
      for (const json::Member& member : headers->members()) {
        owned.push_back({member.key.string(), member.value.string()});
      }
    }
    for (const Header& one : owned) fields.push_back({one.name, one.value});
    status = static_cast<int>(*response.find("status")->integer());
    if (const auto list = response.find("messages")) {
      for (const json::View message : list->items()) messages.push_back(message);
    } else if (response.find("body")->is_object()) {
      messages.push_back(*response.find("body"));
    }
  }
  [[nodiscard]] json::Buffer body() const {
    const auto found = request.find("body");
    return json::Buffer(found ? json::to_text(*found) : "");
  }
  [[nodiscard]] std::string method() const { return request.find("httpMethod")->string(); }

  std::string name;
  json::Value whole;
  json::View request;
  json::View response;
  std::vector<Header> owned;
  std::vector<HeaderField> fields;
  int status = 0;
  std::vector<json::View> messages;  ///< the answer, after what came before it
};

std::vector<Recorded> recorded(std::string_view era) {
  std::vector<Recorded> out;
  for (const Path& file : entries_of(golden_folder() / "wire")) {
    if (file.stem().string().starts_with(era)) out.emplace_back(file);
  }
  return out;
}

std::shared_ptr<const ServerConfig> config() {
  static const ParamHeaders declared =
      *read_param_headers(json::parse_own(R"({"type":"object","properties":{)"
                                          R"("region":{"type":"string","x-mcp-header":"Region"},)"
                                          R"("n":{"type":"integer","x-mcp-header":"N"}}})")
                              .view());
  ServerConfig out = fixture_config();
  out.param_headers = [](std::string_view tool) -> const ParamHeaders* {
    return tool == "test_x_mcp_header" ? &declared : nullptr;
  };
  return std::make_shared<const ServerConfig>(std::move(out));
}

std::optional<CacheHint> cache_hint_of(json::View result) {
  const auto ttl = result.find("ttlMs");
  if (!ttl || !ttl->integer()) return std::nullopt;
  const bool is_public = json::string_member(result, "cacheScope") == "public";
  return CacheHint{std::chrono::milliseconds(*ttl->integer()),
                   is_public ? CacheHint::Scope::for_everyone : CacheHint::Scope::only_for_caller};
}

// What the recorded server's application must have said.
Reply application(const Recorded& exchange) {
  const json::View answer = exchange.messages.back();
  if (exchange.name == "wire__2026__mrtr_undeclared_capability") {
    InputRequired required;
    required.requests.push_back(ask_sampling("q", json::parse_own("{}")));
    return required;
  }
  if (const auto error = answer.find("error")) return read_error(*error);
  const json::View result = *answer.find("result");
  if (result_type(result) == ResultType::input_required) {
    InputRequired required = *read_input_required(result);
    required.original = {};
    return required;
  }
  Overlay era;
  era.without("resultType").without("ttlMs").without("cacheScope");
  const auto meta_object = result.find("_meta");
  if (meta_object) {
    era.member("_meta", [&](json::Writer& writer) {
      Overlay().without(meta::server_info).write(writer, *meta_object);
    });
  }
  json::Writer writer;
  era.write(writer, result);
  return CompleteResult{std::move(writer).finish_value(), cache_hint_of(result)};
}

// Texts are ours; code, data that the specification names, and results are not.
void expect_same(const Recorded& exchange, json::View want, json::View found) {
  const auto want_error = want.find("error");
  if (!want_error) {
    EXPECT_TRUE(json::equal(want, found))
        << exchange.name << "\nwant  " << json::to_text(want) << "\nfound " << json::to_text(found);
    return;
  }
  const auto error = found.find("error");
  ASSERT_TRUE(error) << exchange.name << json::to_text(found);
  EXPECT_EQ(read_error(*error).code, read_error(*want_error).code) << exchange.name;
  const auto data = want_error->find("data");
  for (const std::string_view key : {"requiredCapabilities", "supported", "requested", "uri"}) {
    const auto wanted = data ? data->find(key) : std::nullopt;
    if (!wanted) continue;
    const auto got = error->find("data") ? error->find("data")->find(key) : std::nullopt;
    ASSERT_TRUE(got) << exchange.name << " " << key;
    EXPECT_TRUE(json::equal(*wanted, *got)) << exchange.name << " " << key;
  }
  if (want.find("id") && !want.find("id")->is_null()) {
    EXPECT_TRUE(json::equal(*want.find("id"), found.find("id").value_or(json::View())))
        << exchange.name;
  }
}

void expect_rejection(const Recorded& exchange, const Rejection& rejection) {
  EXPECT_EQ(rejection.status, exchange.status) << exchange.name;
  expect_same(exchange, exchange.messages.back(), json::parse_own(rejection.body.str()).view());
}

// Runs the application's part: notices as they were recorded, then the answer.
ServerActions act(ServerPeer& peer, const Call& call, const Recorded& exchange) {
  ServerActions out;
  for (std::size_t i = 0; i + 1 < exchange.messages.size(); ++i) {
    const json::View params = *exchange.messages[i].find("params");
    if (const auto progress = read_progress(params)) {
      append(out, peer.progress(call.key, *progress));
    } else {
      append(out, peer.log(call.key, *read_log_message(params)));
    }
  }
  append(out, peer.reply(call.key, application(exchange), Time(0)));
  return out;
}

void expect_sent(const Recorded& exchange, const ServerActions& actions) {
  std::vector<const Send*> sent;
  for (const ServerAction& action : actions) {
    if (const auto* send = std::get_if<Send>(&action)) sent.push_back(send);
  }
  ASSERT_EQ(sent.size(), exchange.messages.size()) << exchange.name;
  EXPECT_EQ(sent.front()->status, exchange.status) << exchange.name;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const json::Value message = json::parse_own(sent[i]->message.str());
    expect_same(exchange, exchange.messages[i], message.view());
  }
}

void run(ServerPeer& peer, Message message, const std::optional<HeaderFields>& fields,
         const Recorded& exchange) {
  ServerActions actions = peer.receive(std::move(message), fields);
  ASSERT_FALSE(actions.empty()) << exchange.name;
  if (const auto* call = std::get_if<Call>(&actions.front())) {
    const Call copy = *call;
    actions = act(peer, copy, exchange);
  }
  expect_sent(exchange, actions);
}

TEST(Wire, the_stateless_era_answers_as_recorded) {
  std::size_t compared = 0;
  for (const Recorded& exchange : recorded("wire__2026")) {
    // Origin is checked by whoever owns the socket; cursors by the application.
    if (exchange.name == "wire__2026__err_bad_origin") continue;
    ++compared;
    Route routed = route(exchange.method(), exchange.fields, exchange.body(), *config());
    if (const auto* rejection = std::get_if<Rejection>(&routed)) {
      expect_rejection(exchange, *rejection);
      continue;
    }
    auto* post = std::get_if<StatelessPost>(&routed);
    ASSERT_NE(post, nullptr) << exchange.name;
    if (std::holds_alternative<Notification>(post->message)) {
      EXPECT_EQ(exchange.status, 202) << exchange.name;
      continue;
    }
    ServerPeer peer(config());
    run(peer, std::move(post->message), HeaderFields(exchange.fields), exchange);
  }
  EXPECT_EQ(compared, 37U);
}

class Session : public ::testing::Test {
 protected:
  Session() : peer(config()) {
    for (const char* text : {R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
                             R"("protocolVersion":"2025-11-25","capabilities":{}}})",
                             R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}) {
      static_cast<void>(peer.receive_bytes(json::Buffer(text)));
    }
  }
  ServerPeer peer;
};

TEST_F(Session, answers_as_recorded) {
  std::size_t compared = 0;
  for (const Recorded& exchange : recorded("wire__2025")) {
    ++compared;
    Route routed = route(exchange.method(), exchange.fields, exchange.body(), *config());
    if (const auto* rejection = std::get_if<Rejection>(&routed)) {
      expect_rejection(exchange, *rejection);
    } else if (std::holds_alternative<SessionEnd>(routed) ||
               std::holds_alternative<SessionStream>(routed)) {
      EXPECT_EQ(exchange.status, 200) << exchange.name;
    } else {
      auto& post = std::get<SessionPost>(routed);
      if (exchange.status == 404) {
        expect_rejection(exchange, session_not_found());
      } else if (!std::holds_alternative<Request>(post.messages.front())) {
        EXPECT_EQ(exchange.status, 202) << exchange.name;
      } else if (!post.session) {
        ServerPeer opened(config());
        run(opened, std::move(post.messages.front()), std::nullopt, exchange);
      } else {
        run(peer, std::move(post.messages.front()), std::nullopt, exchange);
      }
    }
  }
  EXPECT_EQ(compared, 13U);
}

TEST(Wire, every_recorded_event_stream_decodes_to_its_messages) {
  std::size_t streams = 0;
  for (const Path& file : entries_of(golden_folder() / "wire")) {
    const Recorded exchange(file);
    const auto raw = exchange.response.find("sseRaw");
    if (!raw) continue;
    ++streams;
    SseDecoder decoder;
    std::vector<SseEvent> events;
    ASSERT_TRUE(decoder.feed(raw->string(), events)) << exchange.name;
    std::erase_if(events, [](const SseEvent& event) { return event.data.empty(); });
    ASSERT_EQ(events.size(), exchange.messages.size()) << exchange.name;
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].event, "message");
      EXPECT_TRUE(json::equal(json::parse_own(events[i].data).view(), exchange.messages[i]));
    }
  }
  EXPECT_EQ(streams, 9U);
}

// The client's half of the same exchanges: what it would send has the recorded headers.
TEST(Wire, a_client_sends_the_recorded_headers) {
  for (const Recorded& exchange : recorded("wire__2026")) {
    const auto body = exchange.request.find("body");
    if (exchange.name.find("err_") != std::string::npos || !body->is_object()) continue;
    const auto params = body->find("params");
    for (const Header& one :
         standard_headers(kFirstStatelessRevision, body->find("method")->string(), *params)) {
      const auto found = find_header(exchange.fields, one.name);
      ASSERT_TRUE(found) << exchange.name << " " << one.name;
      EXPECT_EQ(decode_header_value(*found), decode_header_value(one.value)) << exchange.name;
    }
  }
}

}  // namespace
}  // namespace enfold::mcp::testing
