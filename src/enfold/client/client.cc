// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/client.h"

#include "enfold/client/detail/core.h"

namespace enfold::client {

Client::Client(net::Loop& loop, Target target, ClientOptions options, ClientEvents events)
    : core_(std::make_shared<detail::Core>(loop, std::move(target), std::move(options),
                                           std::move(events))) {}

Client::~Client() { core_->abandon(); }

void Client::connect(net::Callback<void(Result<mcp::ServerIdentity> server)> done) {
  core_->connect(std::move(done));
}

mcp::CallOptions Client::prepare(std::string_view method, json::Value params) const {
  const auto milliseconds = [](net::Duration time) {
    return std::chrono::duration_cast<mcp::Time>(time);
  };
  mcp::CallOptions options;
  options.method = method;
  options.params = std::move(params);
  options.patience = milliseconds(core_->options().patience);
  options.longest = milliseconds(core_->options().longest);
  return options;
}

Ticket Client::request(mcp::CallOptions options, CallEvents events) {
  return core_->request(std::move(options), std::move(events));
}

void Client::cancel(Ticket ticket, std::string_view reason) { core_->cancel(ticket, reason); }

void Client::notify(std::string_view method, json::View params) { core_->notify(method, params); }

void Client::answer(mcp::AskKey ask, mcp::Outcome outcome) {
  core_->answer(ask, std::move(outcome));
}

void Client::close(net::Task done) {
  core_->close(std::move(done),
               {ErrorCode::cancelled, "the client was closed", describe(core_->target()), {}});
}
void Client::close(net::Task done, const Error& told) { core_->close(std::move(done), told); }

bool Client::is_ready() const { return core_->is_ready(); }
const mcp::ServerIdentity& Client::server() const { return core_->server(); }
bool Client::is_over_http() const { return core_->is_over_http(); }
std::size_t Client::open_requests() const { return core_->open_requests(); }
const ClientOptions& Client::options() const { return core_->options(); }
net::Loop& Client::loop() const { return core_->loop(); }

}  // namespace enfold::client
