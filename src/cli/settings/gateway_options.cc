// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/gateway_options.h"

#include "cli/input/input.h"
#include "cli/input/server_link.h"
#include "cli/settings/archive_place.h"
#include "cli/settings/fit_settings.h"
#include "cli/terminal/terminal.h"
#include "enfold/base/random.h"
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kMaxTimeoutSeconds = 86'400;

tl::unexpected<Error> bad_usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
}

Result<gateway::UpstreamSettings> upstream_settings(const GatewayOptions& options) {
  gateway::UpstreamSettings settings;
  ENFOLD_TRY(client::Target target,
             find_target({"--upstream", options.upstream, options.command, options.headers}));
  ENFOLD_TRY(const auto eras, find_protocol(options.protocol));
  settings.target = std::move(target);
  settings.eras = eras;
  if (options.startup_timeout)
    settings.startup_timeout = std::chrono::seconds(*options.startup_timeout);
  settings.idle_timeout = std::chrono::seconds(options.idle_timeout);
  return settings;
}

// Sets contract, allow_none and members.
Status choose_contract(const GatewayOptions& options, tools::ServiceSettings& answers) {
  ENFOLD_TRY(answers.contract, gateway::find_contract(options.contract));
  answers.allow_none = options.allow_none;
  ENFOLD_TRY(answers.members, members_named(options.members));
  return {};
}

// Sets profile, budget, target and the default level.
Status choose_budget(const GatewayOptions& options, tools::ServiceSettings& answers) {
  if (!options.client.empty()) {
    ENFOLD_TRY(answers.profile, client_named(options.client));
  }
  if (options.budget) {
    answers.budget = budget::Budget{};
    answers.budget->tokens = *options.budget;
    answers.budget->characters =
        answers.profile != nullptr ? answers.profile->max_characters : kLargestDocument;
  }
  answers.target = options.target;
  if (options.level.empty()) return {};
  answers.levels.default_level = model::from_name<model::Level>(options.level);
  if (answers.levels.default_level) return {};
  return bad_usage(
      fmt::format("expected minimal, standard or full as level, found \"{}\"", options.level));
}

// Whether the error means that a file or server cannot be used now; a retry may succeed.
bool is_down(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

void warn(const tools::ServiceSettings& answers, std::string event, std::string note) {
  answers.log({.level = serve::LogLine::Level::warning,
               .event = std::move(event),
               .note = std::move(note)});
}

// Sets the key that signs cursors. An archive file has a key file beside it. Gateways that share a
// Redis server share a key on it, so that each gateway accepts the cursors of the others.
Status open_cursor_key(const ArchivePlace& place, tools::ServiceSettings& answers) {
  if (place.file.empty()) {
    std::array<std::uint8_t, 32> random{};
    fill_random(random);
    const std::string fresh(random.begin(), random.end());
    const Result<std::string> shared = store::redis_secret(place.place, "cursor-key", fresh,
                                                           answers.archive_options.server_timeout);
    if (!shared && !is_down(shared.error())) return tl::unexpected(shared.error());
    if (!shared) {
      warn(answers, "cursor_key_unshared",
           "the cursor key is not known; until a restart other gateways do not accept the cursors "
           "of this one");
    }
    answers.cursor_key = shared.value_or(fresh);
    return {};
  }
  ENFOLD_TRY(const contract::CursorKey key, cursor_key(place));
  answers.cursor_key = key.bytes();
  return {};
}

}  // namespace

const char* const kGatewayHelp =
    "The server is a command after --, or --upstream URL. Contracts: response-v2 (default),\n"
    "response-v1, generic, scalpel-v1, memory; none passes answers through unchanged. An answer\n"
    "over the limit of the client is cut to fit; the archive keeps the original, and the added\n"
    "tool enfold_fetch returns any part of it. --archive memory keeps originals until the process\n"
    "ends, --archive none keeps nothing. Enfold recognises the client by its clientInfo; --client\n"
    "and --budget override its limit, and dev.enfold/budget in the _meta of a call overrides "
    "both.\n"
    "\n";

void declare_gateway_options(Arguments& arguments, GatewayOptions& options) {
  constexpr std::size_t kMaxTokens = 1'000'000'000;
  arguments.command(options.command);
  arguments.text("--upstream", "URL", options.upstream,
                 "URL of a running server: http://HOST:PORT/mcp");
  arguments.texts("--header", "HEADER", options.headers,
                  "NAME: VALUE, sent with every request to --upstream");
  arguments.text("--contract", "C", options.contract, "Contract of the answers, or none");
  arguments.flag("--allow-none", options.allow_none, "Let clients choose the contract none");
  arguments.text("--members", "SET", options.members,
                 "Members of scalpel-v1: strict, minimal, standard, verbose or debug");
  arguments.number("--budget", options.budget,
                   {"a number of tokens", budget::kSmallestBudget, kMaxTokens},
                   "Maximum tokens of an answer. Default: the limit of the client");
  arguments.number("--target", options.target,
                   {"a number of tokens", budget::kSmallestBudget, kMaxTokens},
                   "Tokens to which an answer over the budget is cut. Default: --budget,\n"
                   "else 4000");
  arguments.text("--client", "NAME", options.client,
                 "Use the tokenizer and limits of openai, claude, claude-code, opencode,\n"
                 "gemini, codex, copilot, vscode, cursor, sdk or generic, whatever the\n"
                 "client calls itself");
  arguments.text("--level", "LEVEL", options.level, "Detail of answers: minimal, standard or full");
  declare_archive_option(arguments, options.archive);
  arguments.number("--startup-timeout", options.startup_timeout,
                   {"a number of seconds", 1, kMaxTimeoutSeconds},
                   "Seconds that the server may take to start. Default: 60, for a URL 10");
  arguments.number("--idle-timeout", options.idle_timeout,
                   {"a number of seconds", 1, kMaxTimeoutSeconds},
                   "Seconds without an answer or progress after which a call fails");
  arguments.text("--protocol", "P", options.protocol,
                 "MCP revisions to use with the server: auto, stateless or sessions");
  arguments.flag("--no-redact", options.no_redact, "Show credentials instead of replacing them");
  arguments.flag("--log-calls", options.log_calls, "Log every call on standard error");
  arguments.flag("--log-json", options.log_json,
                 "Log every call on standard error, one JSON object per line");
}

namespace {

// An existing archive file is opened on first use, because many gateways never cut an answer. Any
// other place is opened now, so that errors are reported at startup.
Status open_place(const ArchivePlace& place, bool has_rate_limits,
                  tools::ServiceSettings& answers) {
  const store::ArchiveOptions& options = answers.archive_options;
  if (!place.file.empty() && store::is_sqlite_archive(place.file)) {
    answers.archive =
        store::lazy_archive([place, options] { return open_or_make(place, options); });
  } else {
    ENFOLD_TRY(answers.archive, open_or_make(place, options));
    const store::Health health = answers.archive->health();
    if (!health.is_up) warn(answers, "archive_unavailable", health.problem);
    for (const std::string& warning : health.warnings) warn(answers, "archive_at_risk", warning);
  }
  if (has_rate_limits) {
    ENFOLD_TRY(answers.counters, store::open_counters(place.place, options));
  }
  return open_cursor_key(place, answers);
}

}  // namespace

bool archives_answers(const gateway::Settings& settings) {
  const tools::ServiceSettings& answers = settings.answers;
  return answers.contract != "none" || answers.budget || settings.session_budget ||
         std::ranges::any_of(answers.client_contracts,
                             [](const auto& one) { return one.second != "none"; });
}

Status open_state(const std::string& archive, gateway::Settings& settings) {
  tools::ServiceSettings& answers = settings.answers;
  const bool has_rate_limits = settings.has_rate_limits();
  if (archive == "none") {
    answers.keeps_originals = false;
    answers.if_unstored = answer::Unstored::cut;
    return {};
  }
  if (archive == "memory" || (!archives_answers(settings) && !has_rate_limits)) return {};
  const Result<ArchivePlace> place = archive_place(archive);
  if (!place) return tl::unexpected(place.error());
  const Status opened = open_place(*place, has_rate_limits, answers);
  if (opened || place->file.empty() || !is_down(opened.error())) return opened;
  // An archive file that cannot be used now does not stop the gateway: memory keeps all state.
  answers.archive.reset();
  answers.counters.reset();
  answers.cursor_key.clear();
  warn(
      answers, "archive_in_memory",
      fmt::format("the archive {} cannot be used: {}; originals of cut answers are kept in memory "
                  "until this process ends; select another place with --archive, ENFOLD_ARCHIVE or "
                  "the key `archive`",
                  place->shown(), opened.error().message));
  return {};
}

Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code) {
  code = kBadUsage;
  gateway::Settings settings;
  settings.version = ENFOLD_VERSION;
  ENFOLD_TRY(gateway::UpstreamSettings upstream, upstream_settings(options));
  settings.upstreams.push_back(std::move(upstream));
  tools::ServiceSettings& answers = settings.answers;
  ENFOLD_TRY(choose_contract(options, answers));
  ENFOLD_TRY(choose_budget(options, answers));
  if (options.no_redact) answers.redaction = std::nullopt;
  answers.log = serve::stderr_log(options.log_json);
  settings.logs_calls = options.log_calls || options.log_json;
  settings.count_tokens = options.log_json;
  if (Status done = open_state(options.archive, settings); !done) {
    code = exit_code_of(done.error());
    return tl::unexpected(done.error());
  }
  return settings;
}

}  // namespace enfold::cli
