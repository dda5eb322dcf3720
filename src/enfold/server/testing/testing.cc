// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/testing.h"

#include "enfold/schema/schema.h"
#include "enfold/serve/connection.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/testing/manual_host.h"
#include "enfold/server/testing/test_answer.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <future>
#include <map>
#include <thread>

namespace enfold::server {
namespace {

constexpr const char* kNoAnswer = "the server has not answered";

constexpr std::chrono::seconds kReplyTimeout(10);  // real time until a Reply must be finished
constexpr int kMostRounds = 20;                    // of questions, in one call

[[noreturn]] void give_up(const Error& error) {
  std::fprintf(stderr, "error: the server cannot be tested: %s\n", error.message.c_str());
  std::abort();
}

Server server_or_abort(Result<Server> server) {
  if (!server) give_up(server.error());
  return std::move(*server);
}

}  // namespace

// The server, and its client: one connection without a transport, opened for the first request. In
// the session era the connection is one session.
struct Tester::Inside : private serve::Sink {
  explicit Inside(Server offered) : server(std::move(offered)) {
    server.settings().log = [this](const serve::LogLine& line) {
      log_lines.push_back(serve::to_text(line));
    };
    auto made = Dispatcher::create(server, host);
    if (!made) give_up(made.error());
    dispatcher = std::move(*made);
  }
  ~Inside() { close(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  void close() {
    questions.clear();
    if (connection) connection->detach();
    connection.reset();
  }

  void open() {
    if (connection) return;
    connection = serve::Connection::open(*dispatcher, *this, principal);
    if (is_stateless) return;
    const std::int64_t id = ++last_id;
    send_to_server(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"initialize","params":{{"protocolVersion":"2025-11-25",)"
        R"("clientInfo":{{"name":{},"version":{}}},"capabilities":{{"elicitation":{{}}}}}}}})",
        id, json::quote(client), json::quote(version)));
    send_to_server(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  // Moves the clock from another thread: the thread of the test does it, because it is the serving
  // thread, and this one waits.
  void advance_from_elsewhere(std::chrono::milliseconds by) {
    auto moved = std::make_shared<std::promise<void>>();
    const std::future<void> done = moved->get_future();
    host.post([this, by, moved = std::move(moved)] {
      host.advance(by);
      moved->set_value();
    });
    if (done.wait_for(kReplyTimeout) == std::future_status::ready) return;
    give_up({ErrorCode::timed_out,
             "Tester::advance was called in another thread than that of the test, which has not "
             "been in finish() or call() for 10 seconds"});
  }

  // Sends a message of the client to the server.
  void send_to_server(const std::string& message) {
    connection->receive_bytes(json::Buffer(message));
  }

  // Sends a new request and returns its id.
  std::int64_t start(std::string_view method, std::string_view params) {
    open();
    std::vector<mcp::HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    connection->set_headers(fields);
    const std::int64_t id = ++last_id;
    sent[id] = {std::string(method), std::string(params)};
    send_request(id, params);
    return id;
  }

  // Sends the request of this id in `sent`, with these params.
  void send_request(std::int64_t id, std::string_view params) {
    send_to_server(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{},"params":{}}})", id,
                               json::quote(sent[id].method),
                               is_stateless ? with_identity(params) : params));
  }

  // The result of elicitation/create, as `fill` answers the form.
  [[nodiscard]] std::string filled_in(const TestForm& form) const {
    const std::optional<std::string> content = fill(form);
    return content ? fmt::format(R"({{"action":"accept","content":{}}})", *content)
                   : R"({"action":"decline"})";
  }

  // In a session the server asks by a request of its own, `message`. Without `fill` the form waits
  // in `questions`.
  void answer_question(json::View message) {
    const TestForm form = detail::form_of(message.find("params").value_or(json::View()));
    if (!fill) {
      questions.push_back(form);
      return;
    }
    host.post([this, form, id = json::to_text(*message.find("id"))] {
      if (!connection) return;
      send_to_server(
          fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, filled_in(form)));
    });
  }

  // A stateless client repeats a request whose result is a question, with the answers. False: this
  // request has no such result, or there is no `fill`.
  [[nodiscard]] bool repeat_with_answers(std::int64_t id) {
    const auto found = received.find(id);
    if (!fill || found == received.end()) return false;
    const json::Value result = found->second.result;
    const std::vector<std::pair<std::string, TestForm>> forms = detail::forms_in(result.view());
    if (forms.empty()) return false;
    json::Writer writer;
    writer.begin_object().key("inputResponses").begin_object();
    for (const auto& [key, form] : forms) {
      writer.member(key, json::parse_own(filled_in(form)).view());
    }
    writer.end_object();
    if (const auto state = result->find("requestState")) writer.member("requestState", *state);
    const json::Value params = json::parse_own(sent[id].params);
    for (const json::Member& one : params->members()) writer.member(one.key.string(), one.value);
    writer.end_object();
    found->second.answered = false;
    found->second.result = {};
    send_request(id, std::move(writer).finish().str());
    return true;
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

  // The notifications since the last call, without progress, log messages and acknowledgements.
  std::vector<TestNotification> take_notifications() {
    constexpr std::string_view kPrefix = "notifications/";
    std::vector<TestNotification> out;
    for (; next_unseen < server_messages.size(); ++next_unseen) {
      const json::View message = server_messages[next_unseen].view();
      std::string method = json::string_member(message, "method").value_or("");
      if (!method.starts_with(kPrefix)) continue;
      method.erase(0, kPrefix.size());
      const auto params = message.find("params");
      if (method == "progress" || method == "message" || method.ends_with("acknowledged")) continue;
      out.push_back({std::move(method), params ? json::Value(*params) : json::Value()});
    }
    return out;
  }

  // The params of the next tools/call. The progress token is "p" and the id of the request.
  std::string call_params(std::string_view tool, std::string_view arguments) const {
    std::string meta = fmt::format(R"("progressToken":"p{}")", last_id + 1);
    for (const auto& [name, value] : call_meta) meta += fmt::format(R"(,"{}":{})", name, value);
    return fmt::format(R"({{"name":{},"arguments":{},"_meta":{{{}}}}})", json::quote(tool),
                       arguments, meta);
  }

  // What the client has got for this request so far.
  TestAnswer answer_to(std::int64_t id) {
    TestAnswer answer;
    if (const auto found = received.find(id); found != received.end()) {
      answer.result = found->second.result;
      answer.error = found->second.error;
      answer.progress = found->second.progress;
    }
    if (!is_answered(id)) {
      answer.questions = questions;
      if (questions.empty()) answer.error = kNoAnswer;
    }
    answer.log = log_messages;
    detail::read_result(answer);
    return answer;
  }

  // Whether a call waits for a thread that has a Reply: for its answer or for its place.
  bool waits_for_replies() const {
    return !dispatcher->open_replies().empty() || dispatcher->serving_thread()->taken_slots() > 0;
  }

  bool is_answered(std::int64_t id) const {
    const auto found = received.find(id);
    return found != received.end() && found->second.answered;
  }

  // The tool in tools/list; null: it is not listed.
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

  // Checks the answer against the announced output schema as a client does: only structured
  // content, and only of successes. Empty: no problem.
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

  // Receives a message of the server.
  void send(mcp::Send send) override {
    const json::Value message = json::parse_own(send.message.str());
    const auto method = message->find("method");
    if (method && method->equals("notifications/progress")) {
      const auto token = detail::resolve(message.view(), "/params/progressToken");
      const auto done = detail::resolve(message.view(), "/params/progress");
      if (!token || !done || !token->is_string()) return;
      const std::int64_t id = std::atoll(token->string().substr(1).c_str());  // see call_params
      received[id].progress.push_back(done->real().value_or(0));
    } else if (method && method->equals("notifications/message")) {
      const auto data = detail::resolve(message.view(), "/params/data");
      if (data) log_messages.push_back(data->is_string() ? data->string() : json::to_text(*data));
    }
    if (method && method->equals("elicitation/create")) answer_question(message.view());
    if (method) server_messages.push_back(message);
    const auto id = message->find("id");
    if (method || !id || !id->integer()) return;
    Received& reply = received[*id->integer()];
    reply.answered = true;
    if (const auto result = message->find("result")) reply.result = json::Value(*result);
    if (const auto text = detail::resolve(message.view(), "/error/message"))
      reply.error = text->string();
  }
  void close_stream(mcp::CallKey /*call*/) override {}

  Server server;
  ManualHost host;
  /// That uses the tester, and so does the work of the server.
  std::atomic<std::thread::id> thread = std::this_thread::get_id();
  std::unique_ptr<Dispatcher> dispatcher;
  std::shared_ptr<serve::Connection> connection;
  // What the server sent about one request.
  struct Received {
    bool answered = false;
    json::Value result;                ///< null: none
    std::optional<std::string> error;  ///< message of the JSON-RPC error
    std::vector<double> progress;      ///< `progress` of its notifications
  };
  struct Request {
    std::string method;
    std::string params;
  };
  std::map<std::int64_t, Request> sent;       // by the id of the request
  std::map<std::int64_t, Received> received;  // by the id of the request
  std::vector<TestForm> questions;            // of the session, without an answer
  std::function<std::optional<std::string>(const TestForm&)> fill;  // see Tester::answer_forms
  std::vector<json::Value> server_messages;      // notifications and requests of the server
  std::vector<std::string> log_messages;         // of the server to the client
  std::vector<std::string> log_lines;            // of the server's own log
  std::map<std::string, std::string> call_meta;  // `_meta` of later calls: JSON by name
  std::map<std::string, std::string> headers;    // of HTTP, in all requests
  std::string client = "tester";
  std::string version = "1";
  std::string principal;
  bool is_stateless = false;
  // Index of the first of `server_messages` that take_notifications has not seen.
  std::size_t next_unseen = 0;
  std::int64_t last_id = 0;  // of a request of the client
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
  inside_->call_meta["dev.enfold/level"] = json::quote(model::name(level));
  return *this;
}

Tester& Tester::budget(std::size_t tokens) {
  inside_->call_meta["dev.enfold/budget"] = std::to_string(tokens);
  return *this;
}

Tester& Tester::contract(std::string name) {
  inside_->call_meta["dev.enfold/contract"] = json::quote(name);
  return *this;
}

Tester& Tester::answer_forms(std::function<std::optional<std::string>(const TestForm&)> fill) {
  inside_->fill = std::move(fill);
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
  // The answer comes when the subscription ends.
  if (opened.error == kNoAnswer) opened.error.reset();
  return opened;
}

std::vector<TestNotification> Tester::notifications() {
  inside_->host.run();
  return inside_->take_notifications();
}

// Shares what is offered with the server, so it stays valid when the tester is gone.
Offers Tester::offers() const { return inside_->server; }

TestAnswer Tester::request(std::string_view method, std::string_view params) {
  return finish(inside_->start(method, params));
}

json::Value Tester::tool(std::string_view name) { return inside_->listed(name); }

std::int64_t Tester::start(std::string_view tool, std::string_view arguments) {
  inside_->thread = std::this_thread::get_id();
  inside_->open();  // first: `initialize` takes an id, and call_params counts on the next one
  return inside_->start("tools/call", inside_->call_params(tool, arguments));
}

void Tester::cancel(std::int64_t call) {
  inside_->send_to_server(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})",
      call));
}

void Tester::advance(std::chrono::milliseconds by) {
  if (inside_->thread != std::this_thread::get_id()) return inside_->advance_from_elsewhere(by);
  inside_->host.advance(by);
}

TestAnswer Tester::finish(std::int64_t call) {
  inside_->thread = std::this_thread::get_id();
  int rounds = 0;
  do {
    const auto until = std::chrono::steady_clock::now() + kReplyTimeout;
    while (!is_answered(call) && inside_->waits_for_replies() &&
           inside_->host.wait_for_task(until)) {
    }
  } while (++rounds <= kMostRounds && inside_->repeat_with_answers(call));
  return inside_->answer_to(call);
}

bool Tester::is_answered(std::int64_t call) {
  inside_->host.run();
  return inside_->is_answered(call);
}

const std::vector<std::string>& Tester::log() const { return inside_->log_lines; }

}  // namespace enfold::server
