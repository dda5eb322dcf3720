// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/state_pages.h"

#include "enfold/gateway/admin/record/row.h"
#include "enfold/token/profile.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr contract::Id kEnvelopes[] = {contract::Id::response_v2, contract::Id::response_v1,
                                       contract::Id::generic, contract::Id::scalpel_v1,
                                       contract::Id::memory};

void write_clients(json::Writer& writer) {
  writer.key("clients").begin_array();
  for (const token::Profile& profile : token::profiles()) {
    writer.begin_object().member("name", profile.name).key("budget").begin_object();
    writer.member("tokens", profile.max_tokens).member("characters", profile.max_characters);
    writer.key("lines");
    profile.max_lines ? writer.integer(static_cast<std::int64_t>(*profile.max_lines))
                      : writer.null();
    writer.end_object().member("encoding", profile.tokenizer->name()).end_object();
  }
  writer.end_array();
}

// "http" or "stdio".
std::string_view transport_of(const UpstreamSettings& settings) {
  return std::holds_alternative<client::HttpTarget>(settings.target) ? "http" : "stdio";
}

std::string_view era_name(mcp::Era era) {
  return era == mcp::Era::sessions ? "sessions" : "stateless";
}

void write_or_null(json::Writer& writer, std::string_view key, std::string_view text) {
  writer.key(key);
  text.empty() ? writer.null() : writer.string(text);
}

}  // namespace

void StatePages::session(const Access::Login& login, const Respond& respond) const {
  const Settings& settings = source_.calls.environment.settings;
  json::Writer writer;
  writer.begin_object().member("version", settings.version).member("csrf", login.csrf);
  write_or_null(writer, "principal", login.principal);
  writer.member("started_at", rfc3339(started_)).key("contracts").begin_array();
  for (const contract::Id id : kEnvelopes) writer.string(contract::name(id));
  writer.end_array();
  write_clients(writer);
  const RecordingLimits& limits = recorder_.limits();
  writer.key("recording").begin_object().member("is_on", limits.bytes > 0);
  writer.member("bytes", recorder_.bytes()).member("limit_bytes", limits.bytes);
  writer.member("answers", recorder_.originals()).end_object();
  writer.member("has_archive", settings.answers.keeps_originals);
  writer.member("can_reload", static_cast<bool>(source_.config.reload));
  writer.key("upstreams").begin_array();
  for (const auto& upstream : source_.calls.upstreams.current()) {
    writer.string(metrics_name(upstream->settings.name));
  }
  writer.end_array().member("log_out", !login.csrf.empty()).end_object();
  respond(json_reply(std::move(writer)));
}

void StatePages::write_upstreams(json::Writer& writer) const {
  const Report report = source_.report();
  const auto& upstreams = source_.calls.upstreams.current();
  writer.key("upstreams").begin_array();
  for (std::size_t i = 0; i < upstreams.size() && i < report.upstreams.size(); ++i) {
    const Upstream& upstream = *upstreams[i];
    const UpstreamReport& now = report.upstreams[i];
    const bool is_local = transport_of(upstream.settings) == "stdio";
    writer.begin_object().member("name", now.name).member("state", name(now.state));
    write_or_null(writer, "era",
                  upstream.shared && upstream.shared->is_ready()
                      ? era_name(upstream.shared->server().era)
                      : std::string_view());
    writer.member("transport", transport_of(upstream.settings));
    writer.member("processes", is_local ? now.connections : 0);
    writer.member("connections", now.connections).member("restarts", now.restarts);
    writer.member("failures", now.failures).member("failures_in_row", now.failures_in_row);
    writer.member("tools", upstream.tools.all().size());
    writer.member("breaker", now.state == UpstreamState::open ? "open" : "closed");
    writer.key("last_failure");
    upstream.last_failure
        ? writer.string(redacted(source_.calls.environment, upstream.last_failure->message))
        : writer.null();
    writer.end_object();
  }
  writer.end_array();
}

void StatePages::upstreams(const Respond& respond) const {
  json::Writer writer;
  write_upstreams(writer.begin_object());
  writer.end_object();
  respond(json_reply(std::move(writer)));
}

void StatePages::write_state(json::Writer& writer) const {
  write_upstreams(writer);
  const Report report = source_.report();
  std::size_t sessions = 0;
  for (const ClientSession* session : source_.calls.sessions.all()) {
    sessions += session->is_listed ? 1 : 0;
  }
  writer.member("sessions", sessions).member("open_calls", report.open_calls);
}

void StatePages::write_session(json::Writer& writer, const ClientSession& session) const {
  const Environment& environment = source_.calls.environment;
  const auto as_time = [](auto time) {
    return rfc3339(std::chrono::floor<std::chrono::milliseconds>(time));
  };
  writer.begin_object().member("id", fmt::format("s{}", session.number));
  writer.member("client", session.caller ? redacted(environment, name_and_version(*session.caller))
                                         : std::string());
  const bool has_principals = !environment.settings.principals.empty();
  write_or_null(
      writer, "principal",
      has_principals ? redacted(environment, session.channel.state().principal) : std::string());
  write_or_null(writer, "era", session.caller ? era_name(session.caller->era) : std::string_view());
  writer.member("opened", as_time(session.opened)).key("last_call");
  if (session.calls == 0) {
    writer.null();
  } else {
    const auto ago = environment.loop.now() - session.last_call;
    writer.string(as_time(environment.host.calendar() - ago));
  }
  writer.member("calls", session.calls).key("budget");
  if (session.budget) {
    writer.begin_object().member("limit", session.budget->cap());
    writer.member("used", session.budget->used()).end_object();
  } else {
    writer.null();
  }
  writer.key("trend").begin_array();
  for (const SessionSample& sample : session.trend) {
    writer.begin_object().member("time", as_time(sample.time)).member("calls", sample.calls);
    writer.member("used", sample.used).end_object();
  }
  writer.end_array().end_object();
}

void StatePages::sessions(const Respond& respond) const {
  json::Writer writer;
  writer.begin_object().key("sessions").begin_array();
  std::vector<ClientSession*> all = source_.calls.sessions.all();
  std::ranges::sort(all, {}, &ClientSession::number);
  for (const ClientSession* session : all) {
    if (session->is_listed) write_session(writer, *session);
  }
  writer.end_array().end_object();
  respond(json_reply(std::move(writer)));
}

}  // namespace enfold::gateway
