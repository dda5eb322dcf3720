// SPDX-License-Identifier: Apache-2.0
// Tests of a server without a transport: the same dispatch, checks, contracts, levels and budgets
// as in a running server, in the process of the test, with a clock that the test moves.
//   server::Tester shop(make_shop(config));
//   const server::TestAnswer added = shop.as("claude-code").call("add_review", R"({"rating":9})");
//   EXPECT_EQ(added.code(), "VALIDATION_ERROR");
//   EXPECT_EQ(added.at("/field"), R"("rating")");
#pragma once

#include "enfold/json/document.h"
#include "enfold/model/response.h"
#include "enfold/server/server.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::server {

/// A form that the server asks the user of the client to fill in (elicitation).
struct TestForm {
  std::string message;  ///< for the user
  json::Value schema;   ///< of what the user fills in
};

/// What a client got for one request.
struct TestAnswer {
  json::Value result;                ///< the MCP result; null: the request was refused
  std::optional<std::string> error;  ///< message of the JSON-RPC error
  json::Value envelope;              ///< the structured content, or the JSON in the text; else null
  model::Response response;          ///< the envelope, whatever its contract
  std::vector<double> progress;      ///< `progress` of its notifications, in order
  std::vector<std::string> log;      ///< messages to the client, for all requests so far
  std::vector<std::string> completions;  ///< of complete()
  /// Forms that wait for the user: the call has no answer before Tester::answer_forms fills them
  /// in.
  std::vector<TestForm> questions;
  /// How the envelope breaks the output schema that tools/list announced; empty: it does not.
  std::string schema_problem;

  /// The call succeeded, also in part.
  [[nodiscard]] bool ok() const {
    return !error && questions.empty() && model::succeeded(response);
  }
  /// Ok, partial, or failed; failed also for a JSON-RPC error and for a call that asks the user.
  [[nodiscard]] model::Outcome outcome() const {
    return error || !questions.empty() ? model::Outcome::failed : response.outcome;
  }
  /// The error code of the failure; "" unless the tool failed.
  [[nodiscard]] std::string code() const;
  /// The message of the JSON-RPC error, the first question, the failure or the success.
  [[nodiscard]] std::string message() const;
  /// The payload, or the details of a failure; null: there are none.
  [[nodiscard]] json::Value data() const;
  /// The value at a JSON Pointer in data(), as JSON; "" if there is none.
  [[nodiscard]] std::string at(std::string_view pointer) const;
  /// The warnings of the envelope, those of Enfold included.
  [[nodiscard]] const std::vector<model::Warning>& warnings() const { return response.warnings; }
  /// Whether one of the warnings has this code.
  [[nodiscard]] bool has_warning(std::string_view code) const;
  /// Of Context::set_telemetry; nullopt: it did not say, or the level does not show it.
  [[nodiscard]] std::optional<bool> cache_hit() const;
  /// Of Context::set_telemetry; nullopt as for cache_hit().
  [[nodiscard]] std::optional<std::int64_t> downstream_calls() const;
  /// The handle of the original, for enfold_fetch; "" if the answer was not cut.
  [[nodiscard]] std::string handle() const;
  /// The first text of a tool, resource or prompt; "": there is none.
  [[nodiscard]] std::string text() const;
  /// The cursor for the arguments of the call that gets the next page; nullopt: there is none.
  [[nodiscard]] std::optional<std::string> cursor() const;
};

/// A notification that a client got.
struct TestNotification {
  std::string method;  ///< without notifications/: resources/updated, tools/list_changed …
  json::Value params;  ///< as the client got them
  [[nodiscard]] std::string uri() const;  ///< of resources/updated
};

/// A server and one client of it. Everything is answered before a function returns, except by
/// start(); for a Reply that another thread finishes it waits, up to 10 seconds of real time.
class Tester {
 public:
  /// Ends the program, with the reason, if there is no server or it cannot work.
  explicit Tester(Server server);
  explicit Tester(Result<Server> server);
  Tester(const Tester&) = delete;
  Tester& operator=(const Tester&) = delete;
  ~Tester();

  /// The name of the client, for all later calls, such as "claude-code", whose budget then applies.
  /// Opens a new session.
  Tester& as(std::string client, std::string version = "1");
  /// Who calls, for all later calls. Opens a new session.
  Tester& principal(std::string name);
  /// A header of the HTTP request, for Call::header.
  Tester& header(std::string name, std::string value);
  /// Requests of the stateless era (2026-07-28) instead of a session.
  Tester& stateless();
  /// The level of later calls of tools, as if their `_meta` named it.
  Tester& level(model::Level level);
  /// The budget of later calls of tools, in tokens; at least 128. It can lower that of the settings
  /// and of the client, and not raise it. Their limit of characters stays.
  Tester& budget(std::size_t tokens);
  /// The contract of later calls of tools; tools/list still announces the schema of
  /// Settings::contract.
  Tester& contract(std::string name);

  /// The user of the client, for all later calls, in a session and stateless: `fill` returns what
  /// the user fills in, a JSON object, or nullopt to decline.
  Tester& answer_forms(std::function<std::optional<std::string>(const TestForm&)> fill);

  /// Calls a tool; `arguments` is a JSON object.
  [[nodiscard]] TestAnswer call(std::string_view tool, std::string_view arguments = "{}");
  /// Reads a resource: TestAnswer::text() has its content.
  [[nodiscard]] TestAnswer read(std::string_view uri);
  /// Gets a prompt: TestAnswer::text() has its first message. `arguments` is an object of texts.
  [[nodiscard]] TestAnswer prompt(std::string_view name, std::string_view arguments = "{}");
  /// `reference`: the name of a prompt, or a URI template as it was registered. `others`: an object
  /// of the arguments that the user has filled in already.
  [[nodiscard]] TestAnswer complete(std::string_view reference, std::string_view argument,
                                    std::string_view typed, std::string_view others = "{}");
  /// From now on the client is told when the resource is updated; stateless clients also, and only
  /// then, when a list changes.
  TestAnswer subscribe(std::string_view uri);
  /// The notifications since the last call of this function, without progress and log messages.
  [[nodiscard]] std::vector<TestNotification> notifications();
  /// A handle to add and remove what the server offers; stays valid when the tester is gone.
  [[nodiscard]] Offers offers() const;
  /// Sends any other request; `params` is a JSON object.
  [[nodiscard]] TestAnswer request(std::string_view method, std::string_view params);
  /// A tool as tools/list shows it; null: it is not listed.
  [[nodiscard]] json::Value tool(std::string_view name);

  /// Begins a call and returns its id. Work for a worker runs only in finish(), call() and
  /// the like, on the thread that calls them. To let time run out while a handler runs, call
  /// advance() in the handler, by a function that the test gives to the server.
  [[nodiscard]] std::int64_t start(std::string_view tool, std::string_view arguments = "{}");
  /// The client withdraws a call that start() began.
  void cancel(std::int64_t call);
  /// Moves the clock; calls whose deadline passes by that fail, or get what Context::keep has. The
  /// only function that other threads than that of the test may call, such as the thread that
  /// finishes a Reply; it then waits until the test is in call() or finish(), and ends the program
  /// if that takes more than 10 seconds.
  void advance(std::chrono::milliseconds by);
  /// Does the work of all calls, and returns what `call` got. If it got nothing, TestAnswer::error
  /// says so.
  [[nodiscard]] TestAnswer finish(std::int64_t call);
  /// Does the work of all calls without waiting for a Reply. Returns whether `call` has an answer
  /// then.
  [[nodiscard]] bool is_answered(std::int64_t call);

  /// The log of the server, one line each.
  [[nodiscard]] const std::vector<std::string>& log() const;

 private:
  struct Inside;  ///< the server and its client
  std::unique_ptr<Inside> inside_;
};

}  // namespace enfold::server
