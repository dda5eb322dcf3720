// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/reload.h"

#include "enfold/gateway/call/tasks.h"
#include "enfold/gateway/gateway.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// The principals of `before` that `after` does not have, or has with another key.
std::set<std::string> dismissed_principals(const Settings& before, const Settings& after) {
  std::set<std::string> dismissed;
  for (const Principal& one : before.principals) {
    if (std::ranges::find(after.principals, one) == after.principals.end())
      dismissed.insert(one.name);
  }
  // Without keys there is one principal, whose name is in `answers`.
  const bool had_one_principal = before.principals.empty();
  if (had_one_principal &&
      (!after.principals.empty() || after.answers.principal != before.answers.principal)) {
    dismissed.insert(before.answers.principal);
  }
  return dismissed;
}

}  // namespace

// As at startup, an upstream that cannot be reached now is connected by the first call that needs
// it.
void Reload::start() {
  services_.upstreams.join(settings_.upstreams);
  const UpstreamSet::List& joining = services_.upstreams.joining();
  // One more for the deferred call of `connected` below, which a reload without new upstreams
  // needs.
  connecting_ = joining.size() + 1;
  const std::shared_ptr<const mcp::Caller> caller =
      enfold_as_client(services_.environment.settings.version);
  const std::function<void()> connected =
      services_.alive.guarded([self = shared_from_this()] { self->on_connected(); });
  for (const auto& upstream : joining) {
    upstream->shared = services_.connections.make(*upstream, caller, /*known_era=*/std::nullopt);
    upstream->shared->connect([&lists = services_.lists, connected, connection = upstream->shared](
                                  const Result<mcp::ServerIdentity>& server) {
      server ? lists.fetch_tools(connection, connected) : connected();
    });
  }
  services_.environment.loop.defer(connected);
}

void Reload::on_connected() {
  if (--connecting_ == 0) done_(replace_settings());
}

Result<ReloadResult> Reload::replace_settings() {
  const tools::AnswerServices& before = *services_.local.services();
  tools::ServiceSettings& answers = settings_.answers;
  if (!answers.archive) answers.archive = before.settings->archive;
  if (!answers.counters) answers.counters = before.settings->counters;
  if (answers.cursor_key.empty()) answers.cursor_key = before.key.bytes();
  if (Status configured = services_.local.configure(settings_); !configured) {
    services_.upstreams.discard_joining();
    services_.connections.retire_unused();
    return tl::unexpected(configured.error());
  }
  // As at startup, the settings of the upstreams move into UpstreamSet; Gateway's own have none.
  std::vector<UpstreamSettings> upstreams = std::exchange(settings_.upstreams, {});
  const UpstreamSet::Change change = services_.upstreams.replace(std::move(upstreams));
  services_.routes.invalidate();
  for (const auto& upstream : services_.upstreams.current())
    services_.lists.select_tools(*upstream);
  for (const Upstream* const removed : change.removed) forget(*removed);
  std::set<std::string> dismissed = dismissed_principals(services_.environment.settings, settings_);
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

// New calls do not go to this upstream any more; its open calls continue.
void Reload::forget(const Upstream& upstream) {
  services_.resources.forget(upstream);
  services_.tasks.forget(upstream);
  for (const std::shared_ptr<UpstreamConnection>& connection : services_.connections.to(upstream)) {
    services_.subscriptions.stop(*connection);
  }
}

}  // namespace enfold::gateway
