// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/archive_access.h"

#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/serve/on_worker.h"

namespace enfold::gateway {

store::Time now_of(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}

void read_archive_resource(const Environment& environment, const LocalTools& local,
                           const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  std::shared_ptr<const server::Shared> shared = local.share();
  const server::Settings& answers = environment.settings.answers;
  answer::FitSettings fit;
  fit.shape.contract = *local.contract_for(call, *port);
  fit.shape.redaction = answers.redaction;
  answer::use_profile(fit, server::profile_for(answers, call.caller.get()));
  if (answers.budget) fit.budget = *answers.budget;
  tools::FetchSource source{.archive = shared->archive.get(),
                            .key = &shared->key,
                            .principal = port->memory().principal,
                            .now = now_of(environment.host)};
  const std::string uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const bool taken = serve::on_worker_for(
      environment.host, port,
      [shared = std::move(shared), era = call.caller->era, uri, fit = std::move(fit),
       source = std::move(source)] { return read_archived(uri, era, source, fit); },
      [key = call.key](const std::shared_ptr<serve::Port>& open, mcp::Reply reply) {
        open->reply(key, std::move(reply));
      });
  if (taken) return;
  port->reply(call.key, mcp::RpcError{mcp::code::internal_error, "The gateway is busy", {}});
}

}  // namespace enfold::gateway
