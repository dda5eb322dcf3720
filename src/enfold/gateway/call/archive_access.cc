// SPDX-License-Identifier: Apache-2.0
// What clients do with archived answers beside fetching them: read them as resources, hand them on
// as arguments; and what their session has spent so far.
#include "enfold/gateway/call/handles.h"
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/serve/on_worker.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostUses = 100;    // of one principal
constexpr std::size_t kLongestName = 64;  // of a client, as far as it tells clients apart

store::Time now_of(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}

mcp::Call with_arguments(const mcp::Call& call, const json::Value& arguments) {
  mcp::Call filled = call;
  json::Writer writer;
  mcp::Overlay()
      .member("arguments", [&](json::Writer& out) { out.value(arguments); })
      .write(writer, call.raw_params.view());
  filled.raw_params = std::move(writer).finish_value();
  if (auto* tool = std::get_if<mcp::ToolCall>(&filled.params)) tool->arguments = arguments;
  return filled;
}

}  // namespace

bool Gateway::offers_archive(const mcp::Call& call, serve::Port& port) {
  return settings_.archive_resources && settings_.answers.keeps_originals &&
         contract_for(call, port);
}

void Gateway::read_resource(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  const tools::CallServices& shared = own_->services;
  const tools::ServiceSettings& answers = settings_.answers;
  answer::FitSettings fit;
  fit.shape.contract = *contract_for(call, *port);
  fit.shape.redaction = answers.redaction;
  answer::use_profile(fit, tools::profile_for(answers, call.caller.get()));
  if (answers.budget) fit.budget = *answers.budget;
  tools::FetchSource source{.archive = shared.archive.get(),
                            .key = &shared.key,
                            .principal = port->memory().principal,
                            .now = now_of(host_)};
  const std::string uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const bool taken = serve::on_worker_for(
      host_, port,
      [own = own_, era = call.caller->era, uri, fit = std::move(fit), source = std::move(source)] {
        return read_archived(uri, era, source, fit);
      },
      [key = call.key](const std::shared_ptr<serve::Port>& open, mcp::Reply reply) {
        open->reply(key, std::move(reply));
      });
  if (taken) return;
  port->reply(call.key, mcp::RpcError{mcp::code::internal_error, "The gateway is busy", {}});
}

// The archive may be far away: a worker waits for it.
void Gateway::fill_in(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                      const std::shared_ptr<serve::Cancellation>& cancellation,
                      const std::shared_ptr<ToolAnswering>& about) {
  HandleSource source{.archive = about->services->archive.get(),
                      .principal = about->plan.principal,
                      .now = now_of(host_)};
  const bool taken = serve::on_worker_for(
      host_, port,
      [about, source = std::move(source)] {
        return with_archived(about->plan.arguments.view(), source);
      },
      [this, call, cancellation, about](const std::shared_ptr<serve::Port>& open, auto filled) {
        if (cancellation->is_cancelled()) return;
        if (filled) {
          send_tool_call(with_arguments(call, *filled), open, about);
          return;
        }
        about->plan.refusal = std::move(filled.error());
        admitted(call, open, cancellation, about);
      });
  if (!taken) refuse_for_load(call, *port, *about);
}

// A caller without a session is known by who it is: there is nothing else that lasts.
std::shared_ptr<SessionUse> Gateway::use_of(const mcp::Call& call, serve::Port& port) {
  if (!settings_.session_budget || !contract_for(call, port)) return nullptr;
  Visitor& visitor = visitor_of(port);
  const bool lasts = visitor.has_session || settings_.one_client;
  std::shared_ptr<SessionUse>& use =
      lasts ? visitor.use
            : uses_of(port.memory().principal)[call.caller->client_name().substr(0, kLongestName)];
  if (!use) use = std::make_shared<SessionUse>(*settings_.session_budget);
  return use;
}

// With room for one more. Names are the clients' own to choose: who takes many loses the first of
// them, and nobody else does.
std::map<std::string, std::shared_ptr<SessionUse>>& Gateway::uses_of(const std::string& principal) {
  auto& uses = uses_[principal];
  if (uses.size() > kMostUses) uses.erase(uses.begin());
  return uses;
}

}  // namespace enfold::gateway
