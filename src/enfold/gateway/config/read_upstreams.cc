// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/read_upstreams.h"

#include "enfold/net/tls.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <iterator>

namespace enfold::gateway {
namespace {

// The gateway's variables that every upstream program gets, because programs need them to run:
// paths, the user, the language, the network. Only some of npm_config_*: others may be tokens of
// registries.
constexpr std::array<std::string_view, 44> kInheritedVariables{"PATH",
                                                               "HOME",
                                                               "USER",
                                                               "LOGNAME",
                                                               "SHELL",
                                                               "LANG",
                                                               "LANGUAGE",
                                                               "LC_*",
                                                               "TZ",
                                                               "TERM",
                                                               "COLORTERM",
                                                               "NO_COLOR",
                                                               "TMPDIR",
                                                               "TMP",
                                                               "TEMP",
                                                               "XDG_*",
                                                               "HTTP_PROXY",
                                                               "HTTPS_PROXY",
                                                               "ALL_PROXY",
                                                               "NO_PROXY",
                                                               "http_proxy",
                                                               "https_proxy",
                                                               "all_proxy",
                                                               "no_proxy",
                                                               "SSL_CERT_FILE",
                                                               "SSL_CERT_DIR",
                                                               "NODE_EXTRA_CA_CERTS",
                                                               "REQUESTS_CA_BUNDLE",
                                                               "NODE_PATH",
                                                               "NVM_DIR",
                                                               "NVM_BIN",
                                                               "VOLTA_HOME",
                                                               "FNM_DIR",
                                                               "npm_config_registry",
                                                               "npm_config_cache",
                                                               "npm_config_prefix",
                                                               "npm_config_userconfig",
                                                               "PYTHONPATH",
                                                               "PYENV_ROOT",
                                                               "UV_CACHE_DIR",
                                                               "UV_PYTHON",
                                                               "VIRTUAL_ENV",
                                                               "JAVA_HOME",
                                                               "GOPATH"};

// No "__" in the name: it separates the name from that of a tool in UPSTREAM__TOOL.
bool is_upstream_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxUpstreamNameLength &&
         name.find("__") == std::string_view::npos && !name.starts_with('_') &&
         !name.ends_with('_') && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
         });
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

client::ClientOptions::Eras eras_of(ProtocolChoice choice) {
  using Eras = client::ClientOptions::Eras;
  if (choice == ProtocolChoice::stateless) return Eras::stateless;
  return choice == ProtocolChoice::sessions ? Eras::sessions : Eras::both;
}

// Reads the table of one upstream; adds errors to `values`.
class UpstreamReader {
 public:
  UpstreamReader(const UpstreamConfig& config, std::string pointer, ConfigValues& values)
      : config_(config), pointer_(std::move(pointer)), values_(values) {}

  [[nodiscard]] UpstreamSettings read(const std::string& name) {
    UpstreamSettings settings;
    settings.name = name;
    settings.target = read_target();
    settings.eras = eras_of(config_.protocol);
    settings.detect_envelopes = config_.envelope == EnvelopeChoice::read;
    if (config_.startup_timeout)
      settings.startup_timeout = duration(*config_.startup_timeout, "startup_timeout");
    settings.idle_timeout = duration(config_.idle_timeout, "idle_timeout");
    settings.call_timeout = duration(config_.call_timeout, "call_timeout");
    const std::string breaker = json::below(pointer_, "circuit_breaker");
    settings.circuit_breaker.initial_backoff = values_.duration(
        config_.circuit_breaker.initial_backoff, json::below(breaker, "initial_backoff"));
    settings.circuit_breaker.max_backoff =
        values_.duration(config_.circuit_breaker.max_backoff, json::below(breaker, "max_backoff"));
    settings.circuit_breaker.failure_threshold = config_.circuit_breaker.failure_threshold;
    settings.tools_allow = config_.tools_allow;
    settings.tools_deny = config_.tools_deny;
    settings.allow_unlisted_tools = config_.allow_unlisted_tools;
    settings.is_shared = config_.shared;
    settings.process_idle_timeout = duration(config_.process_idle_timeout, "process_idle_timeout");
    return settings;
  }

 private:
  [[nodiscard]] std::chrono::milliseconds duration(const std::string& value, std::string_view key) {
    return values_.duration(value, json::below(pointer_, key));
  }

  // After an error, an empty target.
  [[nodiscard]] client::Target read_target() {
    if (config_.command.has_value() == config_.url.has_value()) {
      values_.add_error(pointer_,
                        fmt::format("expected one of command and url, found {}",
                                    config_.command ? "both" : "none of them"),
                        "use command and args to start a program, url for a running server");
      return client::StdioTarget{};
    }
    if (config_.command) return read_program();
    return read_endpoint();
  }

  // Adds an error if `key` is set: it is allowed only together with the key `required`.
  void refuse_key(bool is_set, std::string_view key, std::string_view required) {
    if (!is_set) return;
    values_.add_key_error(json::below(pointer_, key),
                          fmt::format("expected {} only with {}", key, required), "remove it");
  }

  [[nodiscard]] client::StdioTarget read_program() {
    refuse_key(!config_.headers.empty(), "headers", "url");
    refuse_key(config_.ca_file.has_value(), "ca_file", "url");
    refuse_key(config_.max_connections.has_value(), "max_connections", "url");
    client::StdioTarget target;
    target.command.push_back(*config_.command);
    for (std::size_t i = 0; i < config_.args.size(); ++i) {
      target.command.push_back(values_.text(config_.args[i], fmt::format("{}/args/{}", pointer_, i),
                                            name_after_flag(target.command.back())));
    }
    for (const auto& [name, value] : config_.env) {
      const std::string place = json::below(json::below(pointer_, "env"), name);
      if (!is_variable_name(name)) {
        values_.add_key_error(place,
                              fmt::format("expected the name of a variable, found \"{}\"", name),
                              "without = in it");
      }
      target.environment.emplace_back(name, values_.text(value, place, name));
    }
    if (config_.cwd) target.folder = values_.path(*config_.cwd);
    target.inherited_variables.emplace(kInheritedVariables.begin(), kInheritedVariables.end());
    std::ranges::copy(config_.env_passthrough, std::back_inserter(*target.inherited_variables));
    target.limits = {.no_new_privileges = config_.no_new_privs,
                     .no_core_files = true,
                     .open_files = config_.max_open_files,
                     .memory_bytes = config_.max_memory_bytes};
    return target;
  }

  [[nodiscard]] client::Target read_endpoint() {
    refuse_key(!config_.args.empty(), "args", "command");
    refuse_key(!config_.env.empty(), "env", "command");
    refuse_key(!config_.env_passthrough.empty(), "env_passthrough", "command");
    refuse_key(config_.cwd.has_value(), "cwd", "command");
    refuse_key(!config_.no_new_privs, "no_new_privs", "command");
    refuse_key(config_.max_open_files.has_value(), "max_open_files", "command");
    refuse_key(config_.max_memory_bytes.has_value(), "max_memory_bytes", "command");
    const std::string place = json::below(pointer_, "url");
    const std::string url = values_.text(*config_.url, place);
    Result<client::HttpTarget> target = client::http_target(url);
    if (!target) {
      if (!url.empty()) values_.add_error(place, target.error());
      return client::StdioTarget{};
    }
    target->max_connections = config_.max_connections.value_or(target->max_connections);
    for (const auto& [name, value] : config_.headers) add_header(name, value, *target);
    if (config_.ca_file) {
      auto context = net::TlsContext::client({.ca_file = values_.path(*config_.ca_file)});
      context ? void(target->tls = std::move(*context))
              : values_.add_error(json::below(pointer_, "ca_file"), context.error());
    }
    return std::move(*target);
  }

  void add_header(const std::string& name, const json::Value& value, client::HttpTarget& target) {
    const std::string place = json::below(json::below(pointer_, "headers"), name);
    const std::string text = values_.text(value, place, name);
    if (const Status valid = client::check_header(name, text); !valid) {
      values_.add_key_error(place, valid.error().message, valid.error().hint);
    }
    target.headers.push_back({name, text});
  }

  const UpstreamConfig& config_;
  std::string pointer_;  ///< JSON Pointer to the table in the configuration
  ConfigValues& values_;
};

}  // namespace

void read_upstreams(const Config& config, ConfigValues& values, Settings& settings) {
  if (config.upstreams.empty()) {
    values.add_error("/upstreams", "expected at least one upstream, found none",
                     "add [upstreams.NAME] with a command or a url");
  }
  for (const auto& [name, upstream] : config.upstreams) {
    const std::string place = json::below("/upstreams", name);
    if (!is_upstream_name(name)) {
      values.add_key_error(place,
                           fmt::format("expected the name of an upstream, found \"{}\"", name),
                           fmt::format("at most {} letters, digits, - and single _ between them",
                                       kMaxUpstreamNameLength));
    }
    settings.upstreams.push_back(UpstreamReader(upstream, place, values).read(name));
  }
  // The order of the file is that of the upstreams in lists of tools: a client with a limit of
  // tools drops the last ones.
  std::ranges::stable_sort(settings.upstreams, [&](const auto& a, const auto& b) {
    return values.is_before(json::below("/upstreams", a.name), json::below("/upstreams", b.name));
  });
}

}  // namespace enfold::gateway
