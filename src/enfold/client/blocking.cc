// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/blocking.h"

namespace enfold::client {
namespace {

// The longest wait of one loop iteration. How long a request may take is limited by its timeouts.
constexpr std::chrono::seconds kMaxTurn{1};

Error interruption() { return {ErrorCode::cancelled, "interrupted", {}, {}}; }

CallFailure interrupted_call() { return {.error = interruption()}; }

}  // namespace

Result<std::unique_ptr<BlockingClient>> BlockingClient::open(Target target, ClientOptions options,
                                                             OnEvent on_event) {
  ENFOLD_TRY(std::unique_ptr<net::Loop> loop, net::Loop::create());
  return std::unique_ptr<BlockingClient>(new BlockingClient(
      std::move(loop), std::move(target), std::move(options), std::move(on_event)));
}

BlockingClient::BlockingClient(std::unique_ptr<net::Loop> loop, Target target,
                               ClientOptions options, OnEvent on_event)
    : loop_(std::move(loop)),
      client_(*loop_, std::move(target), std::move(options), std::move(on_event)) {}

BlockingClient::~BlockingClient() = default;

// The loop reads the clock only when it turns. The first turn sets its time to now; else the
// timeouts of the request would begin at the end of the last wait.
template <class Outcome, class Start>
std::optional<Outcome> BlockingClient::wait_for(Start start) {
  loop_->turn(net::Duration::zero());
  auto outcome = std::make_shared<std::optional<Outcome>>();
  start([outcome](Outcome value) { *outcome = std::move(value); });
  while (!*outcome && !interrupted_) loop_->turn(kMaxTurn);
  return std::move(*outcome);
}

Result<mcp::ServerIdentity> BlockingClient::connect() {
  using Outcome = Result<mcp::ServerIdentity>;
  auto done = wait_for<Outcome>([&](auto on_done) { client_.connect(std::move(on_done)); });
  return done ? std::move(*done) : tl::unexpected(interruption());
}

CallResult BlockingClient::request(mcp::CallOptions options) {
  mcp::CallKey call{};
  auto done = wait_for<CallResult>([&](auto on_done) {
    call = client_.request(std::move(options), {.done = std::move(on_done)});
  });
  if (done) return std::move(*done);
  client_.cancel(call, "interrupted");
  return tl::unexpected(interrupted_call());
}

CallResult BlockingClient::request(std::string_view method, json::Value params) {
  return request(client_.prepare(method, std::move(params)));
}

ListResult BlockingClient::list(mcp::Method method) {
  auto done = wait_for<ListResult>(
      [&](auto on_done) { client::list(client_, method, std::move(on_done)); });
  return done ? std::move(*done) : tl::unexpected(interrupted_call());
}

tl::expected<Toolbox, CallFailure> BlockingClient::tools() {
  using Outcome = tl::expected<Toolbox, CallFailure>;
  auto done = wait_for<Outcome>([&](auto on_done) { list_tools(client_, std::move(on_done)); });
  return done ? std::move(*done) : tl::unexpected(interrupted_call());
}

ToolOutcome BlockingClient::call(ToolRequest request, ToolEvents events) {
  ToolCall call;
  auto done = wait_for<ToolOutcome>([&](auto on_done) {
    events.done = std::move(on_done);
    call = call_tool(client_, std::move(request), std::move(events));
  });
  if (done) return std::move(*done);
  call.cancel("interrupted");
  return tl::unexpected(interrupted_call());
}

void BlockingClient::close() {
  loop_->turn(net::Duration::zero());
  const auto closed = std::make_shared<bool>(false);
  client_.close([closed] { *closed = true; });
  while (!*closed) loop_->turn(kMaxTurn);
}

void BlockingClient::interrupt() { interrupted_ = true; }

}  // namespace enfold::client
