// SPDX-License-Identifier: Apache-2.0
#include "cli/input/gateway_options.h"

#include "cli/exit_code.h"
#include "cli/input/archive_place.h"
#include "cli/input/cursor_key.h"
#include "cli/input/fit_settings.h"
#include "cli/input/server_target.h"
#include "enfold/base/random.h"
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/store/lazy_archive.h"
#include "enfold/store/redis/redis.h"
#include "enfold/store/sqlite/sqlite.h"

#include <array>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kLongestDeadline = 86'400;

tl::unexpected<Error> usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
}

Result<gateway::UpstreamSettings> upstream_settings(const GatewayOptions& options) {
  gateway::UpstreamSettings settings;
  Result<client::Target> target =
      target_of({"--upstream", options.upstream, options.command, options.headers});
  if (!target) return tl::unexpected(target.error());
  const auto eras = eras_named(options.era);
  if (!eras) return tl::unexpected(eras.error());
  settings.target = std::move(*target);
  settings.eras = *eras;
  if (options.greeting) settings.greeting_patience = std::chrono::seconds(*options.greeting);
  settings.deadline = std::chrono::seconds(options.deadline);
  return settings;
}

Status choose_contract(const GatewayOptions& options, tools::ServiceSettings& answers) {
  Result<std::string> named = gateway::contract_named(options.contract);
  if (!named) return tl::unexpected(named.error());
  answers.contract = std::move(*named);
  return {};
}

Status choose_budget(const GatewayOptions& options, tools::ServiceSettings& answers) {
  if (!options.client.empty()) {
    const Result<const token::Profile*> profile = client_named(options.client);
    if (!profile) return tl::unexpected(profile.error());
    answers.profile = *profile;
  }
  if (options.budget) {
    answers.budget = budget::Budget{};
    answers.budget->tokens = *options.budget;
    answers.budget->characters =
        answers.profile != nullptr ? answers.profile->max_characters : kLargestDocument;
  }
  if (options.level.empty()) return {};
  answers.levels.default_level = model::from_name<model::Level>(options.level);
  if (answers.levels.default_level) return {};
  return usage(
      fmt::format("expected minimal, standard or full as level, found \"{}\"", options.level));
}

// With a server the key is there too, so that a cursor of one gateway opens at the next.
Status open_cursor_key(const ArchivePlace& place, tools::ServiceSettings& answers) {
  if (place.file.empty()) {
    std::array<std::uint8_t, 32> fresh{};
    fill_random(fresh);
    ENFOLD_TRY(answers.cursor_key,
               store::redis_secret(place.place, "cursor-key",
                                   {reinterpret_cast<const char*>(fresh.data()), fresh.size()}));
    return {};
  }
  const Result<contract::CursorKey> key = cursor_key(place);
  if (!key) return tl::unexpected(key.error());
  answers.cursor_key = key->bytes();
  return {};
}

}  // namespace

const char* const kGatewayHelp =
    "The server is a program, its command and arguments behind --, or --upstream URL. Contracts:\n"
    "response-v2 (default), response-v1, generic, scalpel-v1, memory; none passes every answer as\n"
    "it is. An answer over the client's limit is fitted; the whole is kept in the archive, and "
    "the\n"
    "added tool enfold_fetch brings back any part of it. --archive memory keeps it as long as the\n"
    "process lives, --archive none not at all. The limit is that of the client, as it names "
    "itself,\n"
    "unless --client or --budget says otherwise; a call may say so itself in _meta\n"
    "dev.enfold/budget.\n\n";

void accept_gateway(Arguments& arguments, GatewayOptions& options) {
  constexpr std::size_t kMost = 1'000'000'000;
  arguments.command(options.command);
  arguments.text("--upstream", "URL", options.upstream,
                 "A server that is running: http://HOST:PORT/mcp");
  arguments.texts("--header", "HEADER", options.headers,
                  "NAME: VALUE, sent with every request to --upstream");
  arguments.text("--contract", "C", options.contract, "Contract of the answers, or none");
  arguments.number("--budget", options.budget,
                   {"a number of tokens", budget::kSmallestBudget, kMost},
                   "Tokens that an answer may cost; else the client's limit");
  arguments.text("--client", "NAME", options.client,
                 "Count and limit as for openai, claude, claude-code, opencode, gemini,\n"
                 "codex, copilot, vscode, cursor, sdk or generic, whoever the client\n"
                 "says it is");
  arguments.text("--level", "LEVEL", options.level, "Detail: minimal, standard or full");
  accept_archive_place(arguments, options.archive);
  arguments.number("--greeting", options.greeting, {"a number of seconds", 1, kLongestDeadline},
                   "Seconds that the server may take to start; else 60, for a URL 10");
  arguments.number("--deadline", options.deadline, {"a number of seconds", 1, kLongestDeadline},
                   "Seconds that the server may be silent over a call");
  arguments.text("--era", "ERA", options.era,
                 "Protocol to speak with the server: auto, modern or legacy");
  arguments.flag("--no-redaction", options.no_redaction, "Leave secrets in answers as they are");
  arguments.flag("--log", options.logs_calls, "A line on standard error for every call");
  arguments.flag("--log-json", options.logs_json, "The same, one JSON object a line");
}

// A file that is an archive is opened when something is first put into it or looked up, for most
// servers never need it; any other place at once, so that what is wrong with it is said here.
Status open_state(const std::string& archive, gateway::Settings& settings) {
  tools::ServiceSettings& answers = settings.answers;
  const bool counts = settings.has_limits();
  if (archive == "none") {
    answers.keeps_originals = false;
    answers.unstored = answer::Unstored::cut;
    return {};
  }
  if (archive == "memory" || (answers.contract == "none" && !counts)) return {};
  const Result<ArchivePlace> place = archive_place(archive);
  if (!place) return tl::unexpected(place.error());
  const store::ArchiveOptions options{.durability = settings.durability};
  if (!place->file.empty() && store::is_sqlite_archive(place->file)) {
    answers.archive =
        store::lazy_archive([place = *place, options] { return open_or_make(place, options); });
  } else {
    Result<ArchivePointer> opened = open_or_make(*place, options);
    if (!opened) return tl::unexpected(opened.error());
    answers.archive = std::move(*opened);
  }
  if (counts) {
    auto counters = store::open_counters(place->place);
    if (!counters) return tl::unexpected(counters.error());
    answers.counters = std::move(*counters);
  }
  return open_cursor_key(*place, answers);
}

Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code) {
  code = kBadUsage;
  gateway::Settings settings;
  settings.version = ENFOLD_VERSION;
  Result<gateway::UpstreamSettings> upstream = upstream_settings(options);
  if (!upstream) return tl::unexpected(upstream.error());
  settings.upstreams.push_back(std::move(*upstream));
  tools::ServiceSettings& answers = settings.answers;
  if (Status done = choose_contract(options, answers); !done) return tl::unexpected(done.error());
  if (Status done = choose_budget(options, answers); !done) return tl::unexpected(done.error());
  if (options.no_redaction) answers.redaction = std::nullopt;
  answers.log = gateway::log_to(options.logs_json, options.logs_calls || options.logs_json);
  settings.log_json = options.logs_json;
  settings.weighs = options.logs_json;
  if (Status done = open_state(options.archive, settings); !done) {
    code = exit_code_of(done.error());
    return tl::unexpected(done.error());
  }
  return settings;
}

}  // namespace enfold::cli
