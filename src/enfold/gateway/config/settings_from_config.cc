// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/settings_from_config.h"

#include "enfold/base/text.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/gateway/config/read_upstreams.h"
#include "enfold/gateway/config/risks.h"
#include "enfold/token/profile.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxPrincipalNameLength = 64;

store::RateLimit rate_limit_of(const RateLimitConfig& config) {
  return {config.per_minute, config.burst};
}

// Printable ASCII only, because the name appears in logs and in the archive.
bool is_principal_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxPrincipalNameLength &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f && c != '"'; });
}

void read_principals(const Config& config, ConfigValues& values, Settings& settings) {
  std::map<std::string, std::string> owners;  // name of the principal by hash of the key
  for (const auto& [name, principal] : config.principals) {
    const std::string place = json::below("/principals", name);
    if (!is_principal_name(name)) {
      values.add_key_error(
          place, fmt::format("expected the name of a principal, found \"{}\"", name),
          fmt::format("at most {} visible ASCII characters", kMaxPrincipalNameLength));
    }
    const auto [other, is_new] = owners.emplace(principal.key_sha256, name);
    if (!is_new) {
      values.add_error(json::below(place, "key_sha256"),
                       fmt::format("expected a unique key, found the key of {}", other->second),
                       "give every principal its own key");
    }
    settings.principals.push_back({name, principal.key_sha256, principal.is_operator});
    if (!principal.rate_limit) continue;
    settings.answers.principal_limits[name] = rate_limit_of(*principal.rate_limit);
  }
}

void read_listen(const ListenConfig& listen, ConfigValues& values, ServeSettings& serving) {
  if (Status done = read_address(listen.address, serving.http); !done) {
    values.add_error("/listen/address", done.error());
  }
  std::uint32_t mode = 0;
  const std::string& digits = listen.socket_mode;
  std::from_chars(digits.data(), digits.data() + digits.size(), mode, /*base=*/8);
  serving.http.socket_mode = mode;
  serving.http.policy.hosts = listen.allowed_hosts;
  serving.http.policy.origins = listen.allowed_origins;
  const auto seconds = [&](const std::string& value, const char* pointer) {
    return std::chrono::ceil<std::chrono::seconds>(values.duration(value, pointer));
  };
  serving.settings.answers.max_sessions = listen.max_sessions;
  serving.http.limits.max_connections = listen.max_connections;
  serving.http.limits.max_streams = listen.max_open_requests;
  serving.settings.answers.session_idle_timeout =
      seconds(listen.session_idle_timeout, "/listen/session_idle_timeout");
  serving.settings.answers.drain = seconds(listen.drain_timeout, "/listen/drain_timeout");
  if (!listen.cert_file && !listen.key_file) return;
  if (!listen.cert_file || !listen.key_file) {
    values.add_error("/listen", "expected cert_file and key_file, found one of them",
                     "https needs both; for http set neither");
    return;
  }
  auto context =
      net::TlsContext::server({values.path(*listen.cert_file), values.path(*listen.key_file)});
  context ? void(serving.http.tls = std::move(*context))
          : values.add_error("/listen/cert_file", context.error());
}

void read_contracts(const Config& config, ConfigValues& values, tools::ServiceSettings& answers) {
  const auto find = [&](const std::string& name, const std::string& pointer) {
    const Result<std::string> found = find_contract(name);
    if (!found) values.add_error(pointer, found.error());
    return found.value_or(name);
  };
  answers.contract = find(config.contract, "/contract");
  answers.allow_none = config.allow_none;
  for (const auto& [client, name] : config.client_contracts) {
    answers.client_contracts[client] = find(name, json::below("/client_contracts", client));
  }
}

void read_budget(const Config& config, ConfigValues& values, tools::ServiceSettings& answers) {
  if (config.client) {
    const Result<const token::Profile*> profile = token::find_profile(*config.client);
    if (profile) {
      answers.profile = *profile;
    } else {
      values.add_error("/client", profile.error());
    }
  }
  for (const auto& [client, name] : config.client_profiles) {
    const Result<const token::Profile*> profile = token::find_profile(name);
    profile ? void(answers.client_profiles[client] = *profile)
            : values.add_error(json::below("/client_profiles", client), profile.error());
  }
  answers.target = config.target;
  if (!config.budget) return;
  answers.budget = budget::Budget{};
  answers.budget->tokens = *config.budget;
  answers.budget->characters =
      answers.profile != nullptr ? answers.profile->max_characters : kLargestDocument;
}

ToolRules rules_of(const ToolConfig& config, const std::string& pointer, ConfigValues& values) {
  const auto duration = [&](const std::optional<std::string>& text, std::string_view key) {
    return text ? std::optional(values.duration(*text, json::below(pointer, key))) : std::nullopt;
  };
  ToolRules rules;
  rules.output_schema = config.output_schema;
  rules.level = config.level;
  if (config.rate_limit) rules.rate_limit = rate_limit_of(*config.rate_limit);
  rules.cache_ttl = duration(config.cache_ttl, "cache_ttl");
  rules.stale_if_error = duration(config.stale_if_error, "stale_if_error");
  rules.fallback = config.fallback;
  rules.is_safe = config.cache_ttl || config.stale_if_error || config.fallback;
  return rules;
}

// A fallback must be the name of another upstream.
void check_fallbacks(const Config& config, ConfigValues& values) {
  // `for_upstream`: the upstream whose fallback it is; empty: a tool's at any upstream.
  const auto check = [&](const std::optional<std::string>& fallback, const std::string& pointer,
                         std::string_view for_upstream = {}) {
    if (!fallback || (*fallback != for_upstream && config.upstreams.contains(*fallback))) return;
    std::vector<std::string> names;
    for (const auto& [name, upstream] : config.upstreams) {
      if (name != for_upstream) names.push_back(name);
    }
    values.add_error(json::below(pointer, "fallback"),
                     fmt::format("expected the name of an{} upstream, found \"{}\"",
                                 *fallback == for_upstream ? "other" : "", *fallback),
                     did_you_mean(*fallback, names, "write the name of another upstream"));
  };
  for (const auto& [name, tool] : config.tools) check(tool.fallback, json::below("/tools", name));
  for (const auto& [name, upstream] : config.upstreams) {
    const std::string place = json::below("/upstreams", name);
    check(upstream.fallback, place, name);
    for (const auto& [tool_name, tool] : upstream.tools) {
      check(tool.fallback, json::below(json::below(place, "tools"), tool_name), name);
    }
  }
}

void read_archive(const Config& config, ConfigValues& values, tools::ServiceSettings& answers) {
  using std::chrono::duration_cast;
  store::ArchiveOptions& options = answers.archive_options;
  const auto ttl = values.duration(config.archive_ttl, "/archive_ttl");
  options.life = std::max(duration_cast<std::chrono::seconds>(ttl), std::chrono::seconds(1));
  options.max_bytes = config.archive_max_bytes;
  options.max_bytes_per_principal = config.archive_max_bytes_per_principal;
  options.max_entries_per_principal = config.archive_max_entries_per_principal;
  options.server_timeout = std::max(values.duration(config.archive_timeout, "/archive_timeout"),
                                    std::chrono::milliseconds(1));
  options.durability = config.durability;
  answers.limits_fail_open = config.rate_limit_failure_mode == FailureMode::open;
}

void read_tools(const Config& config, ConfigValues& values, Settings& settings) {
  settings.output_schema = config.output_schema;
  settings.max_tools = config.max_tools;
  settings.session_budget = config.session_budget;
  settings.redaction_channels = config.redaction.channels;
  settings.archive_resources = config.archive_resources;
  settings.answers.server_tool = config.server_tool;
  settings.request_id_in_envelope = config.request_id == RequestIdPlace::envelope;
  settings.handles_as_arguments = config.handles_as_arguments;
  settings.max_description_length = config.max_description_length;
  for (const auto& [name, tool] : config.tools) {
    settings.tools[name] = rules_of(tool, json::below("/tools", name), values);
  }
  for (UpstreamSettings& upstream : settings.upstreams) {
    const UpstreamConfig& table = config.upstreams.at(upstream.name);
    const std::string place = json::below("/upstreams", upstream.name);
    upstream.all_tools = rules_of({.cache_ttl = table.cache_ttl,
                                   .stale_if_error = table.stale_if_error,
                                   .fallback = table.fallback},
                                  place, values);
    upstream.all_tools.is_safe = false;  // only tools that are named are
    for (const auto& [name, tool] : table.tools) {
      upstream.tools[name] = rules_of(tool, json::below(json::below(place, "tools"), name), values);
    }
  }
  check_fallbacks(config, values);
}

// Adds an error for each text that is no JSON Pointer.
void check_pointers(const std::vector<std::string>& pointers, ConfigValues& values) {
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (json::Pointer::parse(pointers[i])) continue;
    values.add_error(fmt::format("/redaction/allow_pointers/{}", i),
                     fmt::format("expected a JSON Pointer, found \"{}\"", pointers[i]),
                     "begin with a slash, such as \"/items/*/id\"");
  }
}

void read_answers(const Config& config, ConfigValues& values, tools::ServiceSettings& answers) {
  read_contracts(config, values, answers);
  read_budget(config, values, answers);
  answers.levels.default_level = config.level;
  for (const auto& [name, tool] : config.tools) {
    if (tool.level) answers.levels.per_tool[name] = *tool.level;
  }
  answers.channels = config.channels;
  answers.members = config.members;
  answers.workers = config.workers;
  if (config.rate_limit) {
    answers.rate_limit = rate_limit_of(*config.rate_limit);
  }
  if (!config.redaction.enabled) {
    answers.redaction = std::nullopt;
  } else {
    answers.redaction->personal_data = config.redaction.personal_data;
    answers.redaction->extra_keys = config.redaction.extra_keys;
    answers.redaction->allow_pointers = config.redaction.allow_pointers;
    check_pointers(config.redaction.allow_pointers, values);
  }
}

void read_observation(const Config& config, ServeSettings& serving) {
  Settings& settings = serving.settings;
  const bool is_json = config.log_format == LogFormat::json;
  settings.logs_calls = config.log_calls.value_or(is_json);
  settings.answers.log = serve::stderr_log(is_json);
  const ObserveSettings defaults = default_observe_settings(serving.http);
  settings.observe = {config.observe.metrics.value_or(defaults.metrics),
                      config.observe.health.value_or(defaults.health)};
  settings.dashboard = {config.dashboard.enabled.value_or(serves_dashboard(serving.http)),
                        config.recording.bytes};
  settings.count_tokens =
      settings.observe.metrics || settings.dashboard.enabled || (is_json && settings.logs_calls);
}

// Adds an error for the first risk that the configuration does not accept.
void check_risks(const ReadConfig& read, ConfigValues& values, const ServeSettings& serving) {
  const Config& config = read.config;
  std::vector<Risk> risks = listening_risks(serving.http, !config.principals.empty());
  const std::string key_file = config.listen.key_file ? values.path(*config.listen.key_file) : "";
  std::ranges::move(file_risks(read.text.name, key_file), std::back_inserter(risks));
  const Status checked = gateway::check_risks(risks, config.accept_risk);
  if (checked) return;
  const Error& risk = checked.error();
  risk.where.empty() ? values.add_key_error("", risk.message, risk.hint)
                     : values.add_error(risk.where, risk.message, risk.hint);
}

}  // namespace

ObserveSettings default_observe_settings(const serve::HttpOptions& options) {
  const bool is_local = net::is_local_address(options.host);
  return {is_local, is_local};
}

bool serves_dashboard(const serve::HttpOptions& options) {
  return net::is_loopback_name(options.host);
}

Status read_address(const std::string& address, serve::HttpOptions& options) {
  if (net::is_unix_address(address)) {
    options.host = address;
    return net::check_unix_address(address);
  }
  const Result<net::HostAndPort> parts = net::parse_authority(address);
  if (parts && !parts->host.empty()) {
    const std::string& port = parts->port;
    const auto [stopped, problem] =
        std::from_chars(port.data(), port.data() + port.size(), options.port);
    if (problem == std::errc() && stopped == port.data() + port.size()) {
      options.host = parts->host;
      return {};
    }
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected HOST:PORT or unix:PATH to listen on, found \"{}\"", address),
              {},
              "for example 127.0.0.1:8080, where port 0 lets the system choose, or "
              "unix:/run/enfold/enfold.sock");
}

Result<std::string> find_contract(const std::string& name) {
  const auto known = contract::answer_contracts();
  std::string canonical = contract::parse_version_name(name).value_or(name);
  if (std::ranges::find(known, canonical) != known.end()) return canonical;
  const std::vector<std::string> names(known.begin(), known.end());
  return fail(ErrorCode::invalid_input,
              fmt::format("expected the name of a contract, found \"{}\"", name), {},
              did_you_mean(name, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

tools::ConfigResult<ServeSettings> settings_from_config(const ReadConfig& read,
                                                        const ConfigSources& sources) {
  ConfigValues values(read.text, sources);
  ServeSettings serving;
  read_answers(read.config, values, serving.settings.answers);
  read_listen(read.config.listen, values, serving);
  read_observation(read.config, serving);
  serving.settings.max_processes = read.config.max_processes;
  serving.settings.max_open_calls = read.config.max_open_calls;
  read_upstreams(read.config, values, serving.settings);
  read_principals(read.config, values, serving.settings);
  read_tools(read.config, values, serving.settings);
  read_archive(read.config, values, serving.settings.answers);
  check_risks(read, values, serving);
  if (read.config.archive) serving.archive = values.text(*read.config.archive, "/archive");
  std::vector<Error> errors = values.take_errors();
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return serving;
}

}  // namespace enfold::gateway
