// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/link.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

client::ClientOptions options_for(const UpstreamSettings& settings, const mcp::Caller* caller,
                                  std::optional<mcp::Era> first) {
  client::ClientOptions options;
  if (caller != nullptr) {
    options.info = caller->client_info;
    options.capabilities = caller->capabilities;
  }
  options.eras = settings.eras;
  options.known_era = first;
  options.relays_unknown = true;
  options.greeting_patience = settings.startup_timeout;
  options.patience = settings.idle_timeout;
  options.longest = settings.call_timeout;
  return options;
}

// The name that clients know it by, or where it is: paths and queries may hold secrets.
std::string name_or_origin(const UpstreamSettings& settings) {
  if (!settings.name.empty()) return settings.name;
  const auto* http = std::get_if<client::HttpTarget>(&settings.target);
  return http != nullptr ? http->url.origin() : client::describe(settings.target);
}

}  // namespace

Link::Link(net::Loop& loop, const UpstreamSettings& settings, Breaker& breaker, LinkOwner& owner,
           std::shared_ptr<const mcp::Caller> on_behalf_of, std::optional<mcp::Era> first)
    : loop_(loop),
      settings_(settings),
      breaker_(breaker),
      owner_(owner),
      behalf_(std::move(on_behalf_of)),
      first_(first),
      client_(make_client()),
      retry_(loop, [this] { begin_connecting(); }) {}

Link::~Link() { *alive_ = false; }

std::unique_ptr<client::Client> Link::make_client() {
  return std::make_unique<client::Client>(loop_, settings_.target,
                                          options_for(settings_, behalf_.get(), first_), events());
}

client::ClientEvents Link::events() {
  client::ClientEvents events;
  events.on_broken = [this](const Error& error) {
    breaker_.failed(loop_.now());
    owner_.on_broken(*this, placed(error));
  };
  // Also when a server has forgotten the session and a new one was begun.
  events.on_ready = [this](const mcp::ServerIdentity& server) {
    if (!std::exchange(is_told_, false)) became_ready(server);
  };
  events.on_ask = [this](const mcp::InputAsked& asked) { owner_.on_ask(*this, asked); };
  events.on_ask_withdrawn = [this](mcp::AskKey ask) { owner_.on_ask_withdrawn(*this, ask); };
  events.on_log = [this](const mcp::Logged& logged) { owner_.on_log(*this, logged); };
  events.on_list_changed = [this](const mcp::ListChanged& changed) {
    owner_.on_list_changed(*this, changed);
  };
  events.on_resource_updated = [this](const mcp::ResourceUpdated& updated) {
    owner_.on_resource_updated(*this, updated);
  };
  events.on_notification = [this](const mcp::Notification& notification) {
    owner_.on_notification(*this, notification);
  };
  events.on_error_line = [this](std::string_view line) { owner_.on_error_line(*this, line); };
  events.on_noise = [this](const Error& noise) { owner_.on_noise(*this, noise); };
  return events;
}

Error Link::placed(Error error) const {
  error.where = name_or_origin(settings_);
  return error;
}

void Link::became_ready(const mcp::ServerIdentity& server) {
  first_ = server.era;
  ++times_ready_;
  owner_.on_ready(*this);
}

void Link::connect(Connected done) {
  connecting_ = true;
  is_told_ = false;
  client_->connect([this, alive = alive_,
                    done = std::move(done)](Result<mcp::ServerIdentity> server) mutable {
    if (!*alive) return;
    connecting_ = false;
    if (!server) server = tl::unexpected(placed(server.error()));
    if (server) {
      is_told_ = true;
      became_ready(*server);
    } else if (server.error().code != ErrorCode::conflict) {  // else the client is at it already
      breaker_.failed(loop_.now());
      owner_.on_broken(*this, server.error());
    }
    if (*alive && done) done(std::move(server));
  });
}

void Link::begin_connecting() {
  if (connecting_ || client_->is_ready()) return;
  connect({});
  send_waiting();
}

Ticket Link::request(mcp::CallOptions options, client::CallEvents events) {
  const auto ticket = static_cast<Ticket>(++last_ticket_);
  Waiting waiting{std::move(options), std::move(events)};
  if (connecting_ || client_->is_ready()) {
    send(ticket, std::move(waiting));
    return ticket;
  }
  open_[ticket] = {std::move(waiting), {}};
  if (breaker_.is_open(loop_.now())) {
    loop_.defer([this, alive = alive_, ticket] {
      if (*alive) refuse(ticket);
    });
  } else if (const auto wait = breaker_.wait(loop_.now()); wait > Breaker::Wait::zero()) {
    if (!retry_.is_set()) retry_.set_after(wait);
  } else {
    begin_connecting();
  }
  return ticket;
}

void Link::refuse(Ticket ticket) {
  const auto found = open_.find(ticket);
  if (found == open_.end() || !found->second.waiting) return;
  client::CallEvents events = std::move(found->second.waiting->events);
  open_.erase(found);
  const auto wait = std::chrono::ceil<std::chrono::seconds>(breaker_.wait(loop_.now()));
  const Error error{
      ErrorCode::unavailable,
      fmt::format("the server failed {} times in a row and is left alone for {} seconds",
                  breaker_.failures(), wait.count()),
      name_or_origin(settings_),
      {}};
  if (events.done) {
    events.done(
        tl::unexpected(client::CallFailure{error, {}, std::max(wait, std::chrono::seconds(1))}));
  }
}

void Link::send_waiting() {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, open] : open_) {
    if (open.waiting) tickets.push_back(ticket);
  }
  for (const Ticket ticket : tickets) {
    Waiting waiting = std::move(*open_[ticket].waiting);
    send(ticket, std::move(waiting));
  }
}

void Link::send(Ticket ticket, Waiting waiting) {
  client::CallEvents events = std::move(waiting.events);
  auto done = std::move(events.done);
  events.done = [this, alive = alive_, ticket,
                 done = std::move(done)](client::CallResult result) mutable {
    if (!*alive) return;
    open_.erase(ticket);
    const bool answered = result.has_value() || result.error().refusal;
    if (answered) breaker_.succeeded();
    if (!result && result.error().error.code == ErrorCode::timed_out) look_after_silence();
    if (!result) result.error().error = placed(std::move(result.error().error));
    if (done) done(std::move(result));
  };
  Open& open = open_[ticket];
  open.waiting.reset();
  open.sent = client_->request(std::move(waiting.options), std::move(events));
}

// A call that got no answer may have been slow; a server that does not even answer a simple
// question hangs, and is started anew. Over HTTP it is not ours to start.
void Link::look_after_silence() {
  constexpr std::chrono::seconds kPatience{5};
  if (probing_ || is_over_http() || !is_ready()) return;
  probing_ = true;
  const bool sessions = server().era == mcp::Era::sessions;
  mcp::CallOptions question =
      prepare(mcp::name(sessions ? mcp::Method::ping : mcp::Method::discover), {});
  question.patience =
      std::min<mcp::Time>(kPatience, std::chrono::duration_cast<mcp::Time>(settings_.idle_timeout));
  client_->request(std::move(question), {.done = [this, alive = alive_](client::CallResult result) {
                     if (!*alive) return;
                     probing_ = false;
                     const bool hangs =
                         !result && result.error().error.code == ErrorCode::timed_out;
                     if (hangs) start_over();
                   }});
}

void Link::start_over() {
  const Error error{ErrorCode::unavailable,
                    "the server hangs and is started anew",
                    name_or_origin(settings_),
                    {}};
  std::shared_ptr<client::Client> old = std::move(client_);
  client_ = make_client();
  breaker_.failed(loop_.now());
  retired_.push_back(old);
  const auto forget = [this, alive = alive_, which = old.get()] {
    if (*alive) std::erase_if(retired_, [&](const auto& one) { return one.get() == which; });
  };
  old->close(forget, error);
  owner_.on_broken(*this, error);
}

void Link::close(net::Task done) {
  retry_.cancel();
  client_->close(std::move(done));
}

void Link::cancel(Ticket ticket, std::string_view reason) {
  const auto found = open_.find(ticket);
  if (found == open_.end()) return;
  const bool was_sent = !found->second.waiting;
  const client::Ticket sent = found->second.sent;
  loop_.defer([gone = std::move(found->second)] {});
  open_.erase(found);
  if (was_sent) client_->cancel(sent, reason);
}

}  // namespace enfold::gateway
