// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/archive_access.h"

#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/serve/on_worker.h"

namespace enfold::gateway {

store::Time now_of(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}

void answer_archive_read(const Environment& environment, const LocalTools& local,
                         const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  std::shared_ptr<const tools::AnswerServices> services = local.services();
  const tools::ServiceSettings& answer_settings = environment.settings.answers;
  answer::FitSettings fit;
  fit.shape.contract = *local.contract_for(call, *port);
  fit.shape.redaction = answer_settings.redaction;
  answer::use_profile(fit, tools::profile_for(answer_settings, call.caller.get()));
  if (answer_settings.budget) fit.budget = *answer_settings.budget;
  tools::FetchSource source{.archive = services->archive.get(),
                            .key = &services->key,
                            .principal = port->memory().principal,
                            .now = now_of(environment.host)};
  const std::string uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const bool is_queued = serve::on_worker_for(
      environment.host, port,
      [services = std::move(services), era = call.caller->era, uri, fit = std::move(fit),
       source = std::move(source)] { return read_archived_resource(uri, era, source, fit); },
      [key = call.key](const std::shared_ptr<serve::Port>& client, mcp::Reply reply) {
        client->reply(key, std::move(reply));
      });
  if (is_queued) return;
  port->reply(call.key, mcp::RpcError{mcp::code::internal_error, "The gateway is busy", {}});
}

}  // namespace enfold::gateway
