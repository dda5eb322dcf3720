// SPDX-License-Identifier: Apache-2.0
// Any lines, as a client would send them to a server and a server to a client: nothing breaks,
// everything sent is a message, every call can be answered, and messages survive being written.
// Lines are separated by line feeds. The first byte chooses the era that the client begins in.
#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/peer/server_peer.h"
#include "enfold/mcp/wire/http.h"
#include "fuzz/check.h"

#include <string>
#include <vector>

namespace enfold::fuzz {
namespace {

using namespace mcp;

void check_again(const Message& message, std::string_view input) {
  const auto same = [&](const json::Output& output) {
    const auto read = read_messages(json::Buffer(output.str()));
    require(read.has_value(), "a written message is read", input);
    return read->messages.front();
  };
  if (const auto* request = std::get_if<Request>(&message)) {
    const auto again = same(write_request(request->id, request->method, request->params.view()));
    const auto* other = std::get_if<Request>(&again);
    require(other != nullptr && other->id == request->id && other->method == request->method &&
                other->params == request->params,
            "a request is the same again", input);
  } else if (const auto* response = std::get_if<Response>(&message); response && response->id) {
    const auto again = response->outcome
                           ? same(write_response(*response->id, response->outcome->view()))
                           : same(write_response(response->id, response->outcome.error()));
    const auto* other = std::get_if<Response>(&again);
    require(other != nullptr && other->id == response->id && other->outcome == response->outcome,
            "a response is the same again", input);
  }
}

std::shared_ptr<const ServerConfig> server_config() {
  ServerConfig config;
  config.info = json::parse_own(R"({"name":"s","version":"1"})");
  config.capabilities = Capabilities(json::parse_own(
      R"({"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},)"
      R"("logging":{},"completions":{}})"));
  config.max_open_calls = 8;
  config.relay_unknown_requests = true;
  return std::make_shared<const ServerConfig>(std::move(config));
}

class ServerSide {
 public:
  explicit ServerSide(std::string_view input) : input_(input), peer_(server_config()) {}

  void receive(std::string_view line) {
    carry_out(peer_.receive_bytes(json::Buffer(line)));
    carry_out(peer_.list_changed(ListKind::tools));
    carry_out(peer_.resource_updated("a:1"));
  }
  void finish() {
    carry_out(peer_.tick(std::chrono::hours(1)));
    carry_out(peer_.end_subscriptions());
    require(peer_.open_calls() <= asked_, "only questions are left", input_);
  }

 private:
  void carry_out(ServerActions actions) {
    for (ServerAction& action : actions) {
      if (const auto* send = std::get_if<Send>(&action)) {
        const auto read = read_messages(json::Buffer(send->message.str()));
        require(read.has_value(), "everything sent is a message", input_);
      } else if (const auto* call = std::get_if<Call>(&action)) {
        answer(*call);
      }
    }
  }
  void answer(const Call& call) {
    carry_out(peer_.progress(call.key, {1, std::nullopt, std::nullopt}));
    carry_out(peer_.log(call.key, {LogLevel::error, std::nullopt, json::string_value("x")}));
    if (call.method_name.size() % 2 == 0 && !call.inputs.any()) {
      InputRequired required;
      required.requests.push_back(ask_roots("r"));
      required.state = "s";
      ++asked_;
      carry_out(peer_.reply(call.key, required, Time(0)));
    } else {
      carry_out(peer_.reply(call.key, complete(text_result("ok"), call.caller->era), Time(0)));
    }
  }

  std::string_view input_;
  ServerPeer peer_;
  std::size_t asked_ = 0;
};

void client_side(std::string_view input, const std::vector<std::string_view>& lines, bool http) {
  ClientConfig config;
  config.info = json::parse_own(R"({"name":"c","version":"1"})");
  config.capabilities = Capabilities(json::parse_own(R"({"roots":{},"elicitation":{}})"));
  config.over_http = http;
  ClientPeer peer(std::move(config));
  const auto look = [&](const ClientActions& actions) {
    for (const ClientAction& action : actions) {
      if (const auto* transmit = std::get_if<Transmit>(&action)) {
        const auto read = read_messages(json::Buffer(transmit->message.str()));
        require(read.has_value(), "everything transmitted is a message", input);
      }
    }
  };
  look(peer.start(Time(0)));
  std::uint64_t last_call = 0;
  for (const std::string_view line : lines) {
    look(peer.receive_bytes(json::Buffer(line), Time(1)));
    CallOptions options;
    options.method = "tools/call";
    options.params = json::parse_own(R"({"name":"a"})");
    options.wants_progress = true;
    const auto key = static_cast<CallKey>(++last_call);
    if (const auto sent = peer.call(key, std::move(options), Time(1))) look(*sent);
    look(peer.answer(static_cast<ServerRequestKey>(1), json::parse_own("{}"), Time(1)));
  }
  look(peer.tick(std::chrono::hours(1)));
  look(peer.closed("end"));
  require(peer.calls().size() == 0, "a closed connection has no open calls", input);
}

void check(std::string_view input) {
  if (input.empty()) return;
  std::string_view rest = input.substr(1);
  std::vector<std::string_view> lines;
  while (!rest.empty() && lines.size() < 32) {
    const std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  ServerSide server(input);
  for (const std::string_view line : lines) {
    const auto read = read_messages(json::Buffer(line));
    if (read) {
      for (const Message& message : read->messages) check_again(message, input);
    }
    server.receive(line);
    const HeaderField fields[] = {{"Content-Type", "application/json"},
                                  {"Accept", "*/*"},
                                  {"MCP-Protocol-Version", "2026-07-28"}};
    static_cast<void>(route("POST", fields, json::Buffer(line), *server_config()));
  }
  server.finish();
  client_side(input, lines, input.front() % 2 != 0);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
