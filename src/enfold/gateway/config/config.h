// SPDX-License-Identifier: Apache-2.0
// The configuration of a gateway, a TOML file. The structs below and in config_upstream.h declare
// every key once; the parser, the checks, the JSON Schema (schema/settings/gateway-config.json) and
// the reference page (docs/reference/configuration.md) are derived from these declarations.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/gateway/config/config_upstream.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/config/toml.h"
#include "enfold/store/archive.h"
#include "enfold/tools/declare/config.h"

namespace enfold::gateway {

enum class LogFormat : std::uint8_t { text, json };
/// Where the request id is written.
enum class RequestIdPlace : std::uint8_t { meta, envelope };
/// What happens to calls with a rate limit if the store of the limits fails: this process counts by
/// itself (open), or refuses them (closed).
enum class FailureMode : std::uint8_t { open, closed };

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::LogFormat> {
  static constexpr std::array<std::string_view, 2> values{"text", "json"};
};
template <>
struct enfold::model::Names<enfold::gateway::RequestIdPlace> {
  static constexpr std::array<std::string_view, 2> values{"meta", "envelope"};
};
template <>
struct enfold::model::Names<enfold::gateway::FailureMode> {
  static constexpr std::array<std::string_view, 2> values{"open", "closed"};
};
template <>
struct enfold::model::Names<enfold::store::Durability> {
  static constexpr std::array<std::string_view, 2> values{"process", "disk"};
};
template <>
struct enfold::model::Names<enfold::contract::Members> {
  static constexpr std::array<std::string_view, 5> values{"strict", "minimal", "standard",
                                                          "verbose", "debug"};
};
template <>
struct enfold::model::Names<enfold::answer::Channels> {
  static constexpr std::array<std::string_view, 3> values{"both", "structured", "text"};
};

namespace enfold::gateway {

// Keys are declared like the arguments of a tool: setting() for a key that may be left out,
// argument() for a required one.

struct ListenConfig {
  std::string address = "127.0.0.1:8080";
  std::string socket_mode = "660";
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_origins;
  std::optional<std::string> cert_file;
  std::optional<std::string> key_file;
  std::size_t max_sessions = 10'000;
  std::size_t max_connections = 10'000;
  std::size_t max_open_requests = 8'192;
  std::string session_idle_timeout = "30m";
  std::string drain_timeout = "10s";

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("address", &ListenConfig::address,
                "HOST:PORT to listen on, or unix:PATH for a Unix socket. The path of the URL is "
                "/mcp. With port 0 the system chooses a free port"),
        setting("socket_mode", &ListenConfig::socket_mode,
                "Mode of the Unix socket, as for chmod. 600: only the user of the gateway. "
                "660: its group, too. 666: every user of this machine")
            .pattern("^0?[0-7]{3}$"),
        setting("allowed_hosts", &ListenConfig::allowed_hosts,
                "Values of the Host header that are accepted in addition to localhost and the "
                "host of address"),
        setting("allowed_origins", &ListenConfig::allowed_origins,
                "Values of the Origin header that are accepted, such as https://app.example. "
                "Web pages of these origins may send requests (CORS)"),
        setting("cert_file", &ListenConfig::cert_file,
                "PEM file of the certificate chain, with the server's certificate first. It "
                "enables https"),
        setting("key_file", &ListenConfig::key_file, "PEM file of the private key"),
        setting("max_sessions", &ListenConfig::max_sessions, "Maximum number of open sessions")
            .at_least(1),
        setting("max_connections", &ListenConfig::max_connections,
                "Maximum open connections. Each address can use only its share of them, except "
                "addresses of this machine")
            .at_least(16),
        setting("max_open_requests", &ListenConfig::max_open_requests,
                "Maximum unanswered requests, including event streams. Each principal or address "
                "can use only its share")
            .at_least(16),
        setting("session_idle_timeout", &ListenConfig::session_idle_timeout,
                "Close a session that had no request for this time, such as \"30m\"")
            .pattern(kDurationPattern),
        setting("drain_timeout", &ListenConfig::drain_timeout,
                "How long open calls may still run after SIGTERM, such as \"10s\"")
            .pattern(kDurationPattern));
  }
};

struct RedactionConfig {
  bool enabled = true;
  bool personal_data = false;
  std::vector<std::string> extra_keys;
  std::vector<std::string> allow_pointers;
  std::vector<RedactionChannel> channels = all_redaction_channels();

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("enabled", &RedactionConfig::enabled, "Replace credentials in answers by markers"),
        setting("personal_data", &RedactionConfig::personal_data,
                "Replace e-mail addresses, phone numbers, card numbers and social security "
                "numbers, too"),
        setting("extra_keys", &RedactionConfig::extra_keys,
                "Names of additional members whose values are secrets"),
        setting("allow_pointers", &RedactionConfig::allow_pointers,
                "JSON Pointers of values that are not redacted. * matches any member name or "
                "position"),
        setting("channels", &RedactionConfig::channels,
                "Where secrets are replaced, in addition to tool answers. Default: everywhere"));
  }
};

struct ObserveConfig {
  std::optional<bool> metrics;
  std::optional<bool> health;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("metrics", &ObserveConfig::metrics,
                "Serve /metrics (Prometheus). Default: only on a loopback address"),
        setting("health", &ObserveConfig::health,
                "Serve /healthz. Default: only on a loopback address"));
  }
};

struct DashboardConfig {
  std::optional<bool> enabled;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("enabled", &DashboardConfig::enabled,
                "Serve the dashboard at /ui/ and the admin API at /api/v1/, for operators. "
                "Default: only on a loopback address"));
  }
};

struct RecordingConfig {
  std::size_t bytes = DashboardSettings{}.recording_bytes;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("bytes", &RecordingConfig::bytes,
                "Bytes of memory for the originals of recent answers, which the dashboard shows. "
                "The originals are kept after redaction and are never written to disk. 0: no "
                "originals are kept")
            .at_most(std::size_t{4} << 30));
  }
};

struct PrincipalConfig {
  std::string key_sha256;
  bool is_operator = false;
  std::optional<RateLimitConfig> rate_limit;

  static constexpr auto arguments() {
    using tools::argument;
    using tools::setting;
    return tools::arguments(
        argument("key_sha256", &PrincipalConfig::key_sha256)
            .pattern("^[0-9a-f]{64}$")
            .describe("SHA-256 of the API key, as printed by `enfold serve --hash-key`"),
        setting("operator", &PrincipalConfig::is_operator,
                "Whether this principal may use the dashboard and the admin API, which show "
                "the answers of all principals"),
        setting("rate_limit", &PrincipalConfig::rate_limit,
                "Rate limit of this principal for each tool. It overrides all other rate limits"));
  }
};

struct Config {
  std::map<std::string, UpstreamConfig> upstreams;
  std::string contract = "response-v2";
  std::map<std::string, std::string> client_contracts;
  bool allow_none = false;
  std::optional<std::size_t> budget;
  std::optional<std::size_t> target;
  std::optional<std::string> client;
  std::optional<model::Level> level;
  std::map<std::string, ToolConfig> tools;
  std::map<std::string, std::string> client_profiles;
  std::optional<std::size_t> max_tools;
  std::optional<std::size_t> max_description_length;
  std::optional<std::size_t> session_budget;
  bool archive_resources = false;
  bool server_tool = true;
  bool handles_as_arguments = false;
  OutputCheck output_schema = OutputCheck::warn;
  answer::Channels channels = answer::Channels::both;
  contract::Members members = contract::Members::strict;
  RequestIdPlace request_id = RequestIdPlace::meta;
  std::optional<json::Value> archive;
  store::Durability durability = store::Durability::process;
  std::string archive_ttl = "168h";
  std::size_t archive_max_bytes = std::size_t{4} << 30;
  std::size_t archive_max_bytes_per_principal = std::size_t{1} << 30;
  std::size_t archive_max_entries_per_principal = 100'000;
  std::string archive_timeout = "250ms";
  std::optional<RateLimitConfig> rate_limit;
  FailureMode rate_limit_failure_mode = FailureMode::open;
  std::map<std::string, PrincipalConfig> principals;
  std::vector<std::string> accept_risk;
  std::size_t max_processes = 256;
  std::size_t max_open_calls = 4'096;
  std::size_t workers = 4;
  LogFormat log_format = LogFormat::text;
  std::optional<bool> log_calls;
  ListenConfig listen;
  ObserveConfig observe;
  DashboardConfig dashboard;
  RecordingConfig recording;
  RedactionConfig redaction;

  static constexpr auto arguments() {
    using tools::argument;
    using tools::setting;
    return tools::arguments(
        setting("contract", &Config::contract,
                "Contract of the answers. none: Enfold adds no envelope"),
        setting("allow_none", &Config::allow_none,
                "Let clients choose the contract none. Redaction, rights, limits and budgets "
                "of this file still apply"),
        setting("client_contracts", &Config::client_contracts,
                "Contracts of single clients. Each key is the name that a client sends in "
                "clientInfo"),
        setting("budget", &Config::budget,
                "Maximum tokens of an answer. Default: the limit of the client")
            .at_least(128),
        setting("target", &Config::target,
                "Tokens to which an answer is cut if it exceeds the budget. Default: the value of "
                "budget if it is set, otherwise 4000")
            .at_least(128),
        setting("client", &Config::client,
                "Use the tokenizer and limits of this client for every client, whatever name "
                "it sends: openai, claude, claude-code, opencode, gemini, codex, copilot, "
                "vscode, cursor, sdk or generic"),
        setting("level", &Config::level,
                "Level of detail of answers: minimal, standard or full. A call can request "
                "another level"),
        setting("tools", &Config::tools,
                "Settings for single tools. Each key is the name of a tool as the upstream sends "
                "it"),
        setting("client_profiles", &Config::client_profiles,
                "Profiles (tokenizer and limits) of single clients. Each key is the name that a "
                "client sends in clientInfo, or NAME/VERSION. Version 1.2 matches 1.2.3, too"),
        setting("max_tools", &Config::max_tools,
                "Maximum tools in a list, including the gateway's own tools. Default: the "
                "limit of the client")
            .at_least(3),  // Enfold's own two, and one of an upstream
        setting("max_description_length", &Config::max_description_length,
                "Maximum characters of a tool's description. Default: 4096. With the contract "
                "none the default applies only to tools that Enfold renames; the descriptions of "
                "other tools have no limit")
            .at_least(64),
        setting("session_budget", &Config::session_budget,
                "Maximum tokens of all answers of a session together. When these tokens are "
                "nearly used up, answers get smaller. When they are used up, an answer is only a "
                "reference to the archive")
            .at_least(1'000),
        setting("archive_resources", &Config::archive_resources,
                "Offer archived answers as resources with the URI enfold://archive/HANDLE"),
        setting("server_tool", &Config::server_tool,
                "Offer the tool `server`, which reports capabilities, negotiation, tools, "
                "schemas and flags"),
        setting("handles_as_arguments", &Config::handles_as_arguments,
                "Replace {\"$enfold\": HANDLE} in the arguments of a call by the archived "
                "value of this handle"),
        setting("output_schema", &Config::output_schema,
                "What to do if an answer does not match the output schema of its tool. warn: "
                "repair it if possible, and add a warning. strict: send a failure instead. "
                "off: do not check"),
        setting("channels", &Config::channels,
                "Which part of a result carries the answer: structured (structuredContent), "
                "text (content) or both"),
        setting("members", &Config::members,
                "Which members of the contract scalpel-v1 are written. strict, debug: all nine. "
                "minimal, standard, verbose: fewer"),
        setting("request_id", &Config::request_id,
                "Where the request id is written. meta: in _meta of the result. Failures, and all "
                "answers in scalpel-v1, have it in the envelope, too. envelope: in the envelope "
                "of every answer"),
        setting("archive", &Config::archive,
                "Place for the originals of cut answers: a file, redis://…, memory, or none. "
                "Default: as for the command line")
            .format(kTextOrSecret),
        setting("durability", &Config::durability,
                "Which failures archived answers survive. process: a crash of the program. disk: "
                "a power failure, too. disk needs one fsync per answer"),
        setting("archive_ttl", &Config::archive_ttl,
                "Time to live of an archived answer, such as \"168h\"")
            .pattern(kDurationPattern),
        setting("archive_max_bytes", &Config::archive_max_bytes,
                "Maximum stored bytes of all principals together, after compression. If there are "
                "more, the principal with the most bytes loses its oldest answers. Redis ignores "
                "this key: set its maxmemory instead")
            .at_least(1'000'000),
        setting("archive_max_bytes_per_principal", &Config::archive_max_bytes_per_principal,
                "Maximum stored bytes of one principal, after compression. If there are more, "
                "its oldest answers are removed")
            .at_least(1'000'000),
        setting("archive_max_entries_per_principal", &Config::archive_max_entries_per_principal,
                "Maximum archived answers of one principal. If there are more, its oldest "
                "answers are removed")
            .at_least(1),
        setting("archive_timeout", &Config::archive_timeout,
                "How long a call waits for an answer of a Redis server. If the server does not "
                "answer in this time, calls no longer wait for it. When the server answers again, "
                "calls use it again")
            .pattern(kDurationPattern),
        setting("rate_limit", &Config::rate_limit, "Rate limit of each principal for each tool"),
        setting("rate_limit_failure_mode", &Config::rate_limit_failure_mode,
                "What happens to calls of tools with a rate limit if the store of the rate limits "
                "fails. open: this process counts by itself. closed: the calls are refused"),
        setting("principals", &Config::principals,
                "Principals: the owners of API keys. The name of each table is the name of a "
                "principal. Without principals, calls need no key"),
        setting("accept_risk", &Config::accept_risk,
                "Start in spite of these unsafe settings. open_address: other machines reach "
                "the address and there are no principals. plain_http: keys cross the network "
                "without TLS. writable_config: every user of this machine can write this file. "
                "readable_key: every user of this machine can read or write key_file"),
        setting("max_processes", &Config::max_processes,
                "Maximum upstream processes at a time, in addition to one process for each "
                "upstream. Each principal or address can use only its share. A call that needs one "
                "more process is refused")
            .at_least(1),
        setting("max_open_calls", &Config::max_open_calls,
                "Maximum calls that wait for upstreams at a time. Each principal or address can "
                "use only its share. Further calls are refused before they are sent")
            .at_least(1),
        setting(
            "workers", &Config::workers,
            "Number of threads that cut large answers to their budget and archive the originals")
            .at_least(1)
            .at_most(256),
        setting("log_format", &Config::log_format,
                "Format of the log on standard error: text, or json (one object per line)"),
        setting("log_calls", &Config::log_calls,
                "Log every call, not only problems. Default: only with log_format = \"json\""),
        setting("listen", &Config::listen, "Where clients connect"),
        setting("observe", &Config::observe,
                "Monitoring endpoints. They use the address of listen and need no key"),
        setting("dashboard", &Config::dashboard,
                "The web page that shows each answer before and after Enfold"),
        setting("recording", &Config::recording,
                "Memory for the recent answers that the dashboard shows"),
        setting("redaction", &Config::redaction, "Which secrets are replaced, and where"),
        argument("upstreams", &Config::upstreams)
            .describe("The upstreams: the MCP servers behind the gateway. Each key is the name of "
                      "an upstream. Each upstream has a command or a url"));
  }
};

struct ReadConfig {
  Config config;
  Toml text;  ///< the parsed file: line and column of errors that are found later
};

/// Returns up to 20 errors at once, each with file name, line and column. A text that is not valid
/// TOML is one error.
[[nodiscard]] tools::ConfigResult<ReadConfig> read_config(std::string_view text,
                                                          std::string file_name);

/// The JSON Schema of what `read_config` accepts, for editors and the reference page.
[[nodiscard]] json::Value config_schema();

/// Validates `value`, which is at `pointer` (a JSON Pointer) in `text`, against a schema that was
/// derived from the declarations. Returns up to 20 errors; empty: it is valid.
[[nodiscard]] std::vector<Error> check_against(const json::Value& schema, json::View value,
                                               const std::string& pointer, const Toml& text);

}  // namespace enfold::gateway
