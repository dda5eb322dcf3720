// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/reload.h"

#include "enfold/gateway/call/tasks.h"
#include "enfold/gateway/gateway.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

std::set<std::string> dismissed_by(const Settings& before, const Settings& after) {
  std::set<std::string> gone;
  for (const Principal& one : before.principals) {
    if (std::ranges::find(after.principals, one) == after.principals.end()) gone.insert(one.name);
  }
  const bool had_one_user = before.principals.empty();
  if (had_one_user &&
      (!after.principals.empty() || after.answers.principal != before.answers.principal)) {
    gone.insert(before.answers.principal);
  }
  return gone;
}

}  // namespace

// As at startup, an upstream that cannot be reached now is tried again later.
void Reload::start() {
  services_.upstreams.join(settings_.upstreams);
  const UpstreamSet::List& joining = services_.upstreams.joining();
  left_ = joining.size() + 1;
  auto caller = std::make_shared<mcp::Caller>();
  caller->client_info = own_info(services_.environment.settings.version);
  const std::function<void()> connected =
      services_.alive.guarded([self = shared_from_this()] { self->one_connected(); });
  for (const auto& upstream : joining) {
    upstream->shared = services_.connections.make(*upstream, caller, std::nullopt);
    upstream->shared->connect([&lists = services_.lists, connected, connection = upstream->shared](
                                  const Result<mcp::ServerIdentity>& server) {
      server ? lists.fetch_tools(connection, connected) : connected();
    });
  }
  services_.environment.loop.defer(connected);
}

void Reload::one_connected() {
  if (--left_ == 0) done_(swap());
}

Result<ReloadResult> Reload::swap() {
  const tools::AnswerServices& before = *services_.local.services();
  tools::ServiceSettings& answers = settings_.answers;
  if (!answers.archive) answers.archive = before.archive;
  if (!answers.counters) answers.counters = before.counters;
  if (answers.cursor_key.empty()) answers.cursor_key = before.key.bytes();
  if (Status configured = services_.local.configure(answers); !configured) {
    services_.upstreams.discard_joining();
    services_.connections.retire_unused();
    return tl::unexpected(configured.error());
  }
  std::vector<UpstreamSettings> upstreams = std::exchange(settings_.upstreams, {});
  const UpstreamSet::Change change = services_.upstreams.replace(std::move(upstreams));
  services_.routes.invalidate();
  for (const Upstream* const removed : change.removed) forget(*removed);
  std::set<std::string> dismissed = dismissed_by(services_.environment.settings, settings_);
  apply_(std::move(settings_));
  services_.subscriptions.update_shared();
  for (const mcp::ListKind kind :
       {mcp::ListKind::tools, mcp::ListKind::prompts, mcp::ListKind::resources}) {
    services_.sessions.tell_list_changed(kind);
  }
  services_.connections.retire_unused();
  return ReloadResult{fmt::format("upstreams: {} kept, {} new, {} gone", change.kept, change.joined,
                                  change.removed.size()),
                      std::move(dismissed)};
}

// Open calls of the upstream continue.
void Reload::forget(const Upstream& upstream) {
  services_.resources.forget(upstream);
  services_.tasks.forget(upstream);
  for (const std::shared_ptr<UpstreamConnection>& connection : services_.connections.to(upstream)) {
    services_.subscriptions.stop(*connection);
  }
}

}  // namespace enfold::gateway
