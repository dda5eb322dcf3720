// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/serve_config.h"

#include "cli/settings/archive_place.h"
#include "cli/settings/gateway_options.h"
#include "enfold/token/profile.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

using ToolMap = decltype(gateway::Settings::tools);

std::string budget_of(const tools::ServiceSettings& answers) {
  const std::string_view client =
      answers.profile != nullptr ? answers.profile->name : "each client";
  if (answers.budget) return fmt::format("{} tokens", answers.budget->tokens);
  return fmt::format("the limit of {}", client);
}

std::string redaction_of(const tools::ServiceSettings& answers) {
  if (!answers.redaction) return "off";
  return answers.redaction->personal_data ? "credentials and personal data" : "credentials";
}

// The names of environment variables or headers. Their values may be secret and are not shown.
std::vector<std::string> secret_names(const client::Target& target) {
  std::vector<std::string> names;
  if (const auto* program = std::get_if<client::StdioTarget>(&target)) {
    for (const auto& [name, value] : program->environment) names.push_back(name);
  } else if (const auto* endpoint = std::get_if<client::HttpTarget>(&target)) {
    for (const mcp::Header& header : endpoint->headers) names.push_back(header.name);
  }
  return names;
}

// What secret_names() lists: a word of the text and a key of the JSON.
std::string_view kind_of_names(const client::Target& target) {
  return std::holds_alternative<client::StdioTarget>(target) ? "environment" : "headers";
}

std::chrono::milliseconds milliseconds(net::Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration);
}

std::string describe_limit(const store::RateLimit& limit) {
  return fmt::format("{} calls of a tool a minute, {} at once", limit.per_minute, limit.burst);
}

std::string describe_principal(const gateway::Principal& principal,
                               const tools::ServiceSettings& answers) {
  const auto limit = answers.principal_limits.find(principal.name);
  if (limit == answers.principal_limits.end())
    return fmt::format("  principal {}\n", principal.name);
  return fmt::format("  principal {}, {}\n", principal.name, describe_limit(limit->second));
}

std::string plain_time(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{} s", time.count() / 1000)
                                  : fmt::format("{} ms", time.count());
}

// Cache and fallback of a tool or an upstream; empty: it has neither.
std::string describe_rules(const gateway::ToolRules& rules) {
  std::vector<std::string> parts;
  if (rules.cache_ttl) parts.push_back("cache_ttl " + plain_time(*rules.cache_ttl));
  if (rules.stale_if_error) parts.push_back("stale_if_error " + plain_time(*rules.stale_if_error));
  if (rules.fallback) parts.push_back("fallback " + *rules.fallback);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe_tools(const ToolMap& tools, std::string_view indent) {
  std::string out;
  for (const auto& [name, rules] : tools) {
    const std::string rules_text = describe_rules(rules);
    if (!rules_text.empty()) out += fmt::format("{}tool {}: {}\n", indent, name, rules_text);
  }
  return out;
}

std::string describe_upstream(const gateway::UpstreamSettings& upstream) {
  std::string out =
      fmt::format("  upstream {}: {}", upstream.name, client::describe(upstream.target));
  const std::vector<std::string> names = secret_names(upstream.target);
  if (!names.empty()) {
    out += fmt::format(", {} {}", kind_of_names(upstream.target), fmt::join(names, ", "));
  }
  out += fmt::format(", idle_timeout {}", plain_time(milliseconds(upstream.idle_timeout)));
  const std::string rules_text = describe_rules(upstream.all_tools);
  if (!rules_text.empty()) out += ", " + rules_text;
  return out + "\n" + describe_tools(upstream.tools, "    ");
}

void print_text(const std::string& file, const gateway::ServeSettings& serving,
                const std::string& archive, Terminal& terminal) {
  const tools::ServiceSettings& answers = serving.settings.answers;
  terminal.out(fmt::format("{}: {}, {}\n", printable(file), terminal.styled("valid", Style::green),
                           counted(serving.settings.upstreams.size(), "upstream")));
  std::string out = fmt::format("  listens on {}\n  contract {}, budget {}\n", url_of(serving.http),
                                answers.contract, budget_of(answers));
  out += fmt::format("  redaction {}\n  archive {}\n", redaction_of(answers), archive);
  if (answers.rate_limit) {
    out += fmt::format("  rate limit {}\n", describe_limit(*answers.rate_limit));
  }
  for (const gateway::Principal& principal : serving.settings.principals) {
    out += describe_principal(principal, answers);
  }
  out += describe_tools(serving.settings.tools, "  ");
  for (const gateway::UpstreamSettings& upstream : serving.settings.upstreams) {
    out += describe_upstream(upstream);
  }
  terminal.out(printable(out));
}

void write_rules(const gateway::ToolRules& rules, json::Writer& writer) {
  if (rules.cache_ttl) {
    writer.member("cache_ttl_ms", static_cast<std::int64_t>(rules.cache_ttl->count()));
  }
  if (rules.stale_if_error) {
    writer.member("stale_if_error_ms", static_cast<std::int64_t>(rules.stale_if_error->count()));
  }
  if (rules.fallback) writer.member("fallback", *rules.fallback);
}

void write_tools(const ToolMap& tools, json::Writer& writer) {
  const bool any = std::ranges::any_of(
      tools, [](const auto& one) { return !describe_rules(one.second).empty(); });
  if (!any) return;
  writer.key("tools").begin_object();
  for (const auto& [name, rules] : tools) {
    if (describe_rules(rules).empty()) continue;
    writer.key(name).begin_object();
    write_rules(rules, writer);
    writer.end_object();
  }
  writer.end_object();
}

void print_json(const std::string& file, const gateway::ServeSettings& serving,
                const std::string& archive, Terminal& terminal) {
  const tools::ServiceSettings& answers = serving.settings.answers;
  json::Writer writer;
  writer.begin_object().member("file", file).member("valid", true);
  writer.member("url", url_of(serving.http)).member("contract", answers.contract);
  writer.member("budget", budget_of(answers)).member("redaction", redaction_of(answers));
  writer.member("archive", archive);
  if (!serving.settings.principals.empty()) {
    writer.key("principals").begin_array();
    for (const gateway::Principal& one : serving.settings.principals) writer.string(one.name);
    writer.end_array();
  }
  write_tools(serving.settings.tools, writer);
  writer.key("upstreams").begin_array();
  for (const gateway::UpstreamSettings& upstream : serving.settings.upstreams) {
    writer.begin_object().member("name", upstream.name);
    writer.member("target", client::describe(upstream.target));
    writer.key(kind_of_names(upstream.target)).begin_array();
    for (const std::string& name : secret_names(upstream.target)) writer.string(name);
    writer.end_array().member("idle_timeout_ms", milliseconds(upstream.idle_timeout).count());
    write_rules(upstream.all_tools, writer);
    write_tools(upstream.tools, writer);
    writer.end_object();
  }
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

int print_problems(const std::string& file, const std::vector<Error>& problems, bool as_json,
                   Terminal& terminal) {
  if (!as_json) {
    terminal.out(fmt::format("{}: {}, {}\n", printable(file),
                             terminal.styled("not valid", Style::red),
                             counted(problems.size(), "problem")));
    for (const Error& problem : problems) terminal.report(problem);
    return kNegative;
  }
  json::Writer writer;
  writer.begin_object().member("file", file).member("valid", false).key("problems").begin_array();
  for (const Error& problem : problems) {
    writer.begin_object().member("message", problem.message).member("where", problem.where);
    writer.member("hint", problem.hint).end_object();
  }
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
  return kNegative;
}

tools::ConfigResult<gateway::ServeSettings> load_text(const std::string& text,
                                                      const std::string& file) {
  const tools::ConfigResult<gateway::ReadConfig> read = gateway::read_config(text, file);
  if (!read) return tl::unexpected(read.error());
  tools::ConfigResult<gateway::ServeSettings> serving =
      gateway::settings_from_config(*read, gateway::ConfigSources::of(file));
  if (serving) serving->settings.version = ENFOLD_VERSION;
  return serving;
}

}  // namespace

std::string url_of(const serve::HttpOptions& http) {
  return net::origin_text(http.host, http.port, http.tls != nullptr) +
         std::string(serve::kHttpPath);
}

tools::ConfigResult<gateway::ServeSettings> load_config(const std::string& file) {
  const Result<std::string> text = gateway::read_small_file(file);
  if (!text) return tl::unexpected(std::vector<Error>{text.error()});
  return load_text(*text, file);
}

StartupConfig::StartupConfig(const gateway::ServeSettings& serving)
    : address(fmt::format("{}:{}{}", serving.http.host, serving.http.port,
                          serving.http.tls ? " (https)" : "")),
      socket_mode(serving.http.socket_mode),
      hosts(serving.http.policy.hosts),
      origins(serving.http.policy.origins),
      max_connections(serving.http.limits.max_connections),
      max_open_requests(serving.http.limits.max_streams),
      archive(serving.archive),
      archive_options(serving.settings.answers.archive_options),
      observe(serving.settings.observe),
      dashboard(serving.settings.dashboard),
      workers(serving.settings.answers.workers),
      max_processes(serving.settings.max_processes),
      max_open_calls(serving.settings.max_open_calls),
      has_archive(archives_answers(serving.settings) || serving.settings.has_rate_limits()),
      has_counters(serving.settings.has_rate_limits()) {}

tools::ConfigResult<gateway::ReloadedSettings> reload_config(const std::string& file,
                                                             const StartupConfig& startup) {
  tools::ConfigResult<gateway::ServeSettings> serving = load_config(file);
  if (!serving) return tl::unexpected(serving.error());
  const StartupConfig now(*serving);
  const auto warn_unless = [&](bool is_same, std::string_view key) {
    if (is_same) return;
    serving->settings.answers.log(
        {.level = serve::LogLine::Level::warning,
         .event = "reload_later",
         .note = fmt::format("a change of {} takes effect with the next start", key)});
  };
  warn_unless(now.address == startup.address, "listen.address");
  warn_unless(now.socket_mode == startup.socket_mode, "listen.socket_mode");
  warn_unless(now.hosts == startup.hosts, "listen.allowed_hosts");
  warn_unless(now.origins == startup.origins, "listen.allowed_origins");
  warn_unless(now.max_connections == startup.max_connections, "listen.max_connections");
  warn_unless(now.max_open_requests == startup.max_open_requests, "listen.max_open_requests");
  warn_unless(now.archive == startup.archive, "archive");
  warn_unless(now.archive_options == startup.archive_options, "durability or archive_…");
  warn_unless(now.observe == startup.observe, "observe");
  warn_unless(now.dashboard == startup.dashboard, "dashboard or recording");
  warn_unless(now.workers == startup.workers, "workers");
  warn_unless(now.max_processes == startup.max_processes, "max_processes");
  warn_unless(now.max_open_calls == startup.max_open_calls, "max_open_calls");
  // Reloaded settings use the archive and the counters that the gateway has open.
  const bool are_stores_open =
      (startup.has_archive || !now.has_archive) && (startup.has_counters || !now.has_counters);
  const Status opened = are_stores_open ? Status() : open_state(startup.archive, serving->settings);
  if (!opened) return tl::unexpected(std::vector<Error>{opened.error()});
  // A new certificate is used at once, unless the address changed: that, and switching between http
  // and https, needs a restart.
  auto tls = now.address == startup.address ? serving->http.tls : nullptr;
  return gateway::ReloadedSettings{std::move(serving->settings), std::move(tls)};
}

int check_config(const std::string& file, bool as_json, Terminal& terminal) {
  const Result<std::string> text = gateway::read_small_file(file);
  if (!text) return terminal.report(text.error());
  const tools::ConfigResult<gateway::ServeSettings> serving = load_text(*text, file);
  if (!serving) return print_problems(file, serving.error(), as_json, terminal);
  std::string archive = "none";
  if (serving->archive == "memory") {
    archive = "memory";
  } else if (serving->archive == "none") {
    archive = "none: parts that are cut from an answer cannot be fetched";
  } else if (StartupConfig(*serving).has_archive) {
    const Result<ArchivePlace> place = archive_place(serving->archive);
    if (!place) return print_problems(file, {place.error()}, as_json, terminal);
    archive = place->shown();
  }
  as_json ? print_json(file, *serving, archive, terminal)
          : print_text(file, *serving, archive, terminal);
  return kOk;
}

}  // namespace enfold::cli
