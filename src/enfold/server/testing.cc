// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/testing.h"

#include "enfold/contract/contract.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/schema/schema.h"
#include "enfold/serve/connection.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/detail/manual_host.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <map>

namespace enfold::server {
namespace {

constexpr const char* kNoAnswer = "the server has not answered";

constexpr std::chrono::seconds kLongestReply(10);  // of real time

[[noreturn]] void give_up(const Error& error) {
  std::fprintf(stderr, "error: the server cannot be tested: %s\n", error.message.c_str());
  std::abort();
}

Server server_or_abort(Result<Server> server) {
  if (!server) give_up(server.error());
  return std::move(*server);
}

std::optional<json::View> resolve(json::View value, std::string_view pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  return parsed ? parsed->resolve(value) : std::nullopt;
}

// The first text in the result of a tool, a resource or a prompt.
std::optional<json::View> first_text(json::View result) {
  for (const char* place : {"/content/0/text", "/contents/0/text", "/messages/0/content/text"}) {
    if (const auto text = resolve(result, place)) return text;
  }
  return std::nullopt;
}

json::Value envelope_of(json::View result) {
  if (const auto structured = result.find("structuredContent")) return json::Value(*structured);
  const auto text = first_text(result);
  if (!text || !text->is_string()) return {};
  const Result<json::Document> parsed = json::parse(text->string());
  return parsed ? parsed->value() : json::Value();
}

model::Response response_of(json::View result, const json::Value& envelope) {
  model::Response response;
  if (!envelope->is_null()) {
    const Result<contract::Reading> read =
        contract::read(contract::detect(envelope.view()), envelope.view());
    if (read) response = read->response;
  }
  const auto failed = result.find("isError");
  if (failed && failed->is_boolean() && failed->boolean() && !response.failure) {
    response.outcome = model::Outcome::failed;
    response.failure.emplace();
    if (const auto text = first_text(result)) response.failure->message = text->string();
  }
  return response;
}

}  // namespace

std::string TestAnswer::code() const {
  if (!response.failure) return {};
  if (!response.failure->code.empty()) return response.failure->code;
  return std::string(contract::traits(response.failure->kind).code);
}

std::string TestAnswer::message() const {
  if (error) return *error;
  return response.failure ? response.failure->message : response.message;
}

json::Value TestAnswer::data() const {
  if (response.failure) return response.failure->details.value_or(json::Value());
  return response.payload.value_or(json::Value());
}

std::string TestAnswer::at(std::string_view pointer) const {
  const json::Value value = data();
  const auto found = resolve(value.view(), pointer);
  return found ? json::to_text(*found) : "";
}

bool TestAnswer::has_warning(std::string_view code) const {
  return std::ranges::find(response.warnings, code, &model::Warning::code) !=
         response.warnings.end();
}

std::optional<bool> TestAnswer::cache_hit() const {
  return response.telemetry ? response.telemetry->cache_hit : std::nullopt;
}

std::optional<std::int64_t> TestAnswer::downstream_calls() const {
  if (!response.telemetry || !response.telemetry->downstream_calls) return std::nullopt;
  return json::parse_own(response.telemetry->downstream_calls->text)->integer();
}

std::string TestAnswer::handle() const {
  if (!response.reduction || response.reduction->archive.empty()) return {};
  return response.reduction->archive.front().handle;
}

std::string TestAnswer::text() const {
  const auto found = first_text(result.view());
  return found && found->is_string() ? found->string() : "";
}

std::optional<std::string> TestAnswer::cursor() const {
  for (const char* place :
       {"/meta/pagination/cursor", "/enfold/pagination/cursor", "/pagination/nextOffset",
        "/data/_envelope/pagination/cursor", "/_envelope/pagination/cursor", "/next_cursor"}) {
    const auto found = resolve(envelope.view(), place);
    if (found && found->is_string()) return found->string();
  }
  return std::nullopt;
}

std::string TestNotification::uri() const {
  return json::string_member(params.view(), "uri").value_or("");
}

// The client: one session on a connection without a transport, opened for the first request.
struct Tester::Inside : private serve::Sink {
  explicit Inside(Server offered) : server(std::move(offered)) {
    server.settings().log = [this](const serve::LogLine& line) {
      lines.push_back(serve::to_text(line));
    };
    auto made = Dispatcher::create(server, host);
    if (!made) give_up(made.error());
    dispatcher = std::move(*made);
  }
  ~Inside() { close(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  void close() {
    if (connection) connection->detach();
    connection.reset();
  }

  void open() {
    if (connection) return;
    connection = serve::Connection::open(*dispatcher, *this, principal);
    if (is_stateless) return;
    const std::int64_t id = ++last_id;
    say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"initialize","params":{{"protocolVersion":"2025-11-25",)"
        R"("clientInfo":{{"name":{},"version":{}}},"capabilities":{{"elicitation":{{}}}}}}}})",
        id, json::quote(client), json::quote(version)));
    say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  // Sends a message to the server.
  void say(const std::string& message) { connection->receive_bytes(json::Buffer(message)); }

  std::int64_t start(std::string_view method, std::string_view params) {
    open();
    std::vector<mcp::HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    connection->set_headers(fields);
    const std::int64_t id = ++last_id;
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{},"params":{}}})", id,
                    json::quote(method), is_stateless ? with_identity(params) : params));
    return id;
  }

  // Each request of the stateless era names the client and its capabilities in `_meta`.
  std::string with_identity(std::string_view params) const {
    const json::Value given = json::parse_own(params);
    json::Writer writer;
    writer.begin_object().key("_meta").begin_object();
    writer.member("io.modelcontextprotocol/protocolVersion", "2026-07-28");
    writer.key("io.modelcontextprotocol/clientInfo").begin_object().member("name", client);
    writer.member("version", version).end_object();
    writer.key("io.modelcontextprotocol/clientCapabilities").begin_object();
    writer.key("elicitation").begin_object().end_object().end_object();
    if (const auto meta = given->find("_meta")) {
      for (const json::Member& one : meta->members()) writer.member(one.key.string(), one.value);
    }
    writer.end_object();
    for (const json::Member& one : given->members()) {
      if (one.key.string() != "_meta") writer.member(one.key.string(), one.value);
    }
    writer.end_object();
    return std::move(writer).finish().str();
  }

  std::vector<TestNotification> take_notifications() {
    constexpr std::string_view kPrefix = "notifications/";
    std::vector<TestNotification> out;
    for (; read_notifications < heard.size(); ++read_notifications) {
      const json::View message = heard[read_notifications].view();
      std::string method = json::string_member(message, "method").value_or("");
      if (!method.starts_with(kPrefix)) continue;
      method.erase(0, kPrefix.size());
      const auto params = message.find("params");
      if (method == "progress" || method == "message" || method.ends_with("acknowledged")) continue;
      out.push_back({std::move(method), params ? json::Value(*params) : json::Value()});
    }
    return out;
  }

  std::string call_params(std::string_view tool, std::string_view arguments) const {
    std::string meta = fmt::format(R"("progressToken":"p{}")", last_id + 1);
    for (const auto& [name, value] : wishes) meta += fmt::format(R"(,"{}":{})", name, value);
    return fmt::format(R"({{"name":{},"arguments":{},"_meta":{{{}}}}})", json::quote(tool),
                       arguments, meta);
  }

  TestAnswer answer_to(std::int64_t id) {
    TestAnswer answer;
    if (const auto found = received.find(id); found != received.end()) {
      answer.result = found->second.result;
      answer.error = found->second.error;
      answer.progress = found->second.progress;
    }
    if (!is_answered(id)) answer.error = kNoAnswer;
    answer.log = messages;
    answer.envelope = envelope_of(answer.result.view());
    answer.response = response_of(answer.result.view(), answer.envelope);
    if (const auto values = resolve(answer.result.view(), "/completion/values")) {
      for (const json::View value : values->items()) answer.completions.push_back(value.string());
    }
    return answer;
  }

  bool is_answered(std::int64_t id) const {
    const auto found = received.find(id);
    return found != received.end() && found->second.answered;
  }

  json::Value listed(std::string_view name) {
    const std::int64_t id = start("tools/list", "{}");
    host.run();
    const TestAnswer list = answer_to(id);
    const auto tools = list.result->find("tools");
    if (!tools) return {};
    for (const json::View tool : tools->items()) {
      if (const auto found = tool.find("name"); found && found->equals(name)) {
        return json::Value(tool);
      }
    }
    return {};
  }

  // Checks the answer as a client does: only structured content, and only of successes.
  std::string schema_problem(std::string_view tool, const TestAnswer& answer) {
    const auto structured = answer.result->find("structuredContent");
    if (!structured || !answer.ok()) return {};
    const json::Value listing = listed(tool);
    const auto announced = listing->find("outputSchema");
    if (!announced) return {};
    const Result<schema::Schema> compiled = schema::Schema::compile(json::Value(*announced));
    if (!compiled) return compiled.error().message;
    const Result<schema::Validation> checked = compiled->validate(*structured);
    if (!checked) return checked.error().message;
    if (checked->valid || checked->violations.empty()) return {};
    const schema::Violation& first = checked->violations.front();
    return fmt::format("{}: expected {}, found {}", first.instance, first.expected, first.found);
  }

  void send(mcp::Send send) override {
    const json::Value message = json::parse_own(send.message.str());
    const auto method = message->find("method");
    if (method && method->equals("notifications/progress")) {
      const auto token = resolve(message.view(), "/params/progressToken");
      const auto done = resolve(message.view(), "/params/progress");
      if (!token || !done || !token->is_string()) return;
      const std::int64_t id = std::atoll(token->string().substr(1).c_str());  // "p7": call_params
      received[id].progress.push_back(done->real().value_or(0));
    } else if (method && method->equals("notifications/message")) {
      const auto data = resolve(message.view(), "/params/data");
      if (data) messages.push_back(data->is_string() ? data->string() : json::to_text(*data));
    }
    if (method) heard.push_back(message);
    const auto id = message->find("id");
    if (method || !id || !id->integer()) return;
    Received& reply = received[*id->integer()];
    reply.answered = true;
    if (const auto result = message->find("result")) reply.result = json::Value(*result);
    if (const auto text = resolve(message.view(), "/error/message")) reply.error = text->string();
  }
  void close_stream(mcp::CallKey /*call*/) override {}

  Server server;
  ManualHost host;
  std::unique_ptr<Dispatcher> dispatcher;
  std::shared_ptr<serve::Connection> connection;
  // What the server sent about one request.
  struct Received {
    bool answered = false;
    json::Value result;
    std::optional<std::string> error;
    std::vector<double> progress;
  };
  std::map<std::int64_t, Received> received;  // by the id of the request
  std::vector<json::Value> heard;             // notifications and requests of the server
  std::vector<std::string> messages;          // its log messages to the client
  std::vector<std::string> lines;             // of its log
  std::map<std::string, std::string> wishes;  // `_meta` of calls
  std::map<std::string, std::string> headers;
  std::string client = "tester";
  std::string version = "1";
  std::string principal;
  bool is_stateless = false;
  std::size_t read_notifications = 0;  // messages of `heard`
  std::int64_t last_id = 0;
};

Tester::Tester(Server server) : inside_(std::make_unique<Inside>(std::move(server))) {}
Tester::Tester(Result<Server> server) : Tester(server_or_abort(std::move(server))) {}
Tester::~Tester() = default;

Tester& Tester::as(std::string client, std::string version) {
  inside_->close();
  inside_->client = std::move(client);
  inside_->version = std::move(version);
  return *this;
}

Tester& Tester::principal(std::string name) {
  inside_->close();
  inside_->principal = std::move(name);
  return *this;
}

Tester& Tester::header(std::string name, std::string value) {
  inside_->headers[std::move(name)] = std::move(value);
  return *this;
}

Tester& Tester::stateless() {
  inside_->close();
  inside_->is_stateless = true;
  return *this;
}

Tester& Tester::level(model::Level level) {
  inside_->wishes["dev.enfold/level"] = json::quote(model::name(level));
  return *this;
}

Tester& Tester::budget(std::size_t tokens) {
  inside_->wishes["dev.enfold/budget"] = std::to_string(tokens);
  return *this;
}

Tester& Tester::contract(std::string name) {
  inside_->wishes["dev.enfold/contract"] = json::quote(name);
  return *this;
}

TestAnswer Tester::call(std::string_view tool, std::string_view arguments) {
  TestAnswer answer = finish(start(tool, arguments));
  answer.schema_problem = inside_->schema_problem(tool, answer);
  return answer;
}

TestAnswer Tester::read(std::string_view uri) {
  return request("resources/read", fmt::format(R"({{"uri":{}}})", json::quote(uri)));
}

TestAnswer Tester::prompt(std::string_view name, std::string_view arguments) {
  return request("prompts/get",
                 fmt::format(R"({{"name":{},"arguments":{}}})", json::quote(name), arguments));
}

TestAnswer Tester::complete(std::string_view reference, std::string_view argument,
                            std::string_view typed, std::string_view others) {
  const bool is_template = reference.find('{') != std::string_view::npos;
  return request(
      "completion/complete",
      fmt::format(R"({{"ref":{{"type":"{}","{}":{}}},"argument":{{"name":{},"value":{}}},)"
                  R"("context":{{"arguments":{}}}}})",
                  is_template ? "ref/resource" : "ref/prompt", is_template ? "uri" : "name",
                  json::quote(reference), json::quote(argument), json::quote(typed), others));
}

TestAnswer Tester::subscribe(std::string_view uri) {
  if (!inside_->is_stateless) {
    return request("resources/subscribe", fmt::format(R"({{"uri":{}}})", json::quote(uri)));
  }
  TestAnswer opened =
      request("subscriptions/listen",
              fmt::format(R"({{"notifications":{{"toolsListChanged":true,)"
                          R"("promptsListChanged":true,"resourcesListChanged":true,)"
                          R"("resourceSubscriptions":[{}]}}}})",
                          json::quote(uri)));
  if (opened.error == kNoAnswer) opened.error.reset();  // the answer comes when it ends
  return opened;
}

std::vector<TestNotification> Tester::notifications() {
  inside_->host.run();
  return inside_->take_notifications();
}

Offers Tester::offers() const { return inside_->server; }

TestAnswer Tester::request(std::string_view method, std::string_view params) {
  return finish(inside_->start(method, params));
}

json::Value Tester::tool(std::string_view name) { return inside_->listed(name); }

std::int64_t Tester::start(std::string_view tool, std::string_view arguments) {
  inside_->open();
  return inside_->start("tools/call", inside_->call_params(tool, arguments));
}

void Tester::cancel(std::int64_t call) {
  inside_->say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})",
      call));
}

void Tester::advance(std::chrono::milliseconds by) { inside_->host.advance(by); }

TestAnswer Tester::finish(std::int64_t call) {
  const auto until = std::chrono::steady_clock::now() + kLongestReply;
  while (!is_answered(call) && !inside_->dispatcher->open_replies().empty() &&
         inside_->host.wait_for_task(until)) {
  }
  return inside_->answer_to(call);
}

bool Tester::is_answered(std::int64_t call) {
  inside_->host.run();
  return inside_->is_answered(call);
}

const std::vector<std::string>& Tester::log() const { return inside_->lines; }

}  // namespace enfold::server
