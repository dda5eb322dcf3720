// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/blocking.h"

namespace enfold::client {
namespace {

// Nothing is awaited without a deadline of its own; this only bounds one wait of the system.
constexpr std::chrono::seconds kTurn{1};

Error interruption() { return {ErrorCode::cancelled, "interrupted", {}, {}}; }

CallFailure interrupted_call() { return {interruption(), {}, {}}; }

}  // namespace

Result<std::unique_ptr<BlockingClient>> BlockingClient::open(Target target, ClientOptions options,
                                                             OnEvent on_event) {
  Result<std::unique_ptr<net::Loop>> loop = net::Loop::create();
  if (!loop) return tl::unexpected(loop.error());
  return std::unique_ptr<BlockingClient>(new BlockingClient(
      std::move(*loop), std::move(target), std::move(options), std::move(on_event)));
}

BlockingClient::BlockingClient(std::unique_ptr<net::Loop> loop, Target target,
                               ClientOptions options, OnEvent on_event)
    : loop_(std::move(loop)),
      client_(*loop_, std::move(target), std::move(options), std::move(on_event)) {}

BlockingClient::~BlockingClient() = default;

template <class Outcome>
std::optional<Outcome> BlockingClient::wait(
    const std::shared_ptr<std::optional<Outcome>>& outcome) {
  while (!*outcome && !interrupted_) loop_->turn(kTurn);
  if (!*outcome) return std::nullopt;
  return std::move(*outcome);
}

// The clock of the loop stands still between two turns, so each wait begins with one.
Result<mcp::ServerIdentity> BlockingClient::connect() {
  loop_->turn(net::Duration::zero());
  auto outcome = std::make_shared<std::optional<Result<mcp::ServerIdentity>>>();
  client_.connect([outcome](Result<mcp::ServerIdentity> server) { *outcome = std::move(server); });
  auto done = wait(outcome);
  return done ? std::move(*done) : tl::unexpected(interruption());
}

CallResult BlockingClient::request(mcp::CallOptions options) {
  loop_->turn(net::Duration::zero());
  auto outcome = std::make_shared<std::optional<CallResult>>();
  const mcp::CallKey ticket = client_.request(
      std::move(options), {.done = [outcome](CallResult result) { *outcome = std::move(result); }});
  auto done = wait(outcome);
  if (done) return std::move(*done);
  client_.cancel(ticket, "interrupted");
  return tl::unexpected(interrupted_call());
}

CallResult BlockingClient::request(std::string_view method, json::Value params) {
  return request(client_.prepare(method, std::move(params)));
}

ListResult BlockingClient::list(mcp::Method method) {
  loop_->turn(net::Duration::zero());
  auto outcome = std::make_shared<std::optional<ListResult>>();
  client::list(client_, method, [outcome](ListResult result) { *outcome = std::move(result); });
  auto done = wait(outcome);
  return done ? std::move(*done) : tl::unexpected(interrupted_call());
}

tl::expected<Toolbox, CallFailure> BlockingClient::tools() {
  loop_->turn(net::Duration::zero());
  using Tools = tl::expected<Toolbox, CallFailure>;
  auto outcome = std::make_shared<std::optional<Tools>>();
  list_tools(client_, [outcome](Tools tools) { *outcome = std::move(tools); });
  auto done = wait(outcome);
  return done ? std::move(*done) : tl::unexpected(interrupted_call());
}

ToolOutcome BlockingClient::call(ToolRequest request, ToolEvents events) {
  loop_->turn(net::Duration::zero());
  auto outcome = std::make_shared<std::optional<ToolOutcome>>();
  events.done = [outcome](ToolOutcome result) { *outcome = std::move(result); };
  const ToolCall call = call_tool(client_, std::move(request), std::move(events));
  auto done = wait(outcome);
  if (done) return std::move(*done);
  call.cancel("interrupted");
  return tl::unexpected(interrupted_call());
}

void BlockingClient::close() {
  loop_->turn(net::Duration::zero());
  const auto closed = std::make_shared<bool>(false);
  client_.close([closed] { *closed = true; });
  while (!*closed) loop_->turn(kTurn);
}

void BlockingClient::interrupt() { interrupted_ = true; }

}  // namespace enfold::client
