// SPDX-License-Identifier: Apache-2.0
// Specifications with their phases, tasks and journals in a folder of JSON files, behind the tools
// `spec`, `task` and `journal`. Every answer is a response-v2 envelope, or response-v1 where the
// flag response_contract_v2 is off for the client.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/server/run.h"
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"
#include "tools.h"

#include <filesystem>
#include <pwd.h>
#include <unistd.h>

namespace foundry {
namespace {

struct Limit {
  std::uint32_t per_minute = 600;
  std::uint32_t burst = 200;
  static constexpr auto arguments() {
    return server::arguments(
        argument("per_minute", &Limit::per_minute).describe("0: no limit").defaulted(),
        argument("burst", &Limit::burst).describe("Calls at once").at_least(1).defaulted());
  }
};

struct Config {
  std::string folder = "foundry";
  std::string sample;
  std::string approval;
  std::string principal;
  std::map<std::string, std::string> keys;
  std::map<std::string, Limit> rate_limits;
  enfold::json::Value flags;
  std::int64_t budget_tokens = 10'000;
  static constexpr auto arguments() {
    return server::arguments(
        argument("folder", &Config::folder)
            .describe("Where the specifications are, from the current folder")
            .at_least(1)
            .defaulted(),
        argument("sample", &Config::sample)
            .describe("Copied to `folder` when that does not exist, from the folder of this file")
            .defaulted(),
        argument("approval", &Config::approval)
            .describe("The word that completing a specification asks for; empty: none")
            .defaulted(),
        argument("principal", &Config::principal)
            .describe("Who calls over stdio, and over HTTP without `keys`; empty: the user that "
                      "runs this program")
            .defaulted(),
        argument("keys", &Config::keys)
            .describe("Over HTTP: SHA-256 of a key, in hex, to the principal who has it; empty: "
                      "no key is asked for")
            .defaulted(),
        argument("rate_limits", &Config::rate_limits)
            .describe("For each tool: per_minute and burst")
            .defaulted(),
        argument("flags", &Config::flags)
            .describe("Feature flags: name to true, false or an object such as "
                      "{\"percentage_rollout\": 25}")
            .defaulted(),
        argument("budget_tokens", &Config::budget_tokens)
            .describe("What an answer may cost")
            .at_least(128)
            .defaulted());
  }
};

Result<enfold::contract::Flags> read_flags(const Config& config) {
  using enfold::contract::Flag;
  using enfold::contract::FlagState;
  auto flags = config.flags->is_null() ? enfold::contract::Flags::standard()
                                       : enfold::contract::Flags::load(config.flags.view());
  if (!flags) {
    enfold::Error error = flags.error();
    error.where = "/flags" + error.where;
    return tl::unexpected(std::move(error));
  }
  for (Flag flag : {Flag{.name = std::string(kDeleteFlag),
                         .description = "The action delete of the tool spec",
                         .state = FlagState::experimental,
                         .default_enabled = false},
                    Flag{.name = std::string(kOrderFlag),
                         .description = "The order of the tasks in spec get",
                         .state = FlagState::beta,
                         .default_enabled = true}}) {
    if (flags->find(flag.name) != nullptr) continue;
    if (Status added = flags->add(std::move(flag)); !added) return tl::unexpected(added.error());
  }
  return flags;
}

std::string system_user() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::to_string(::geteuid());
}

// What must outlive this process, such as the key of its cursors, is in the folder: over stdio a
// client may start a process for every call.
Result<server::Settings> make_settings(const Config& config, const Folder& folder) {
  server::Settings settings;
  ENFOLD_TRY(settings.flags, read_flags(config));
  settings.principal = config.principal.empty() ? system_user() : config.principal;
  settings.budget.emplace();
  settings.budget->tokens = static_cast<std::size_t>(config.budget_tokens);
  const std::string state = "sqlite:" + folder.state_file().string();
  ENFOLD_TRY(settings.cursor_key, folder.cursor_key());
  ENFOLD_TRY(settings.archive, enfold::store::open_archive(state));
  ENFOLD_TRY(settings.counters, enfold::store::open_counters(state));
  return settings;
}

/// Whom a key belongs to; nullopt: nobody.
std::optional<std::string> owner_of(const std::map<std::string, std::string>& keys,
                                    std::optional<std::string_view> key) {
  if (!key) return std::nullopt;
  const auto found = keys.find(enfold::to_hex(enfold::sha256(*key)));
  return found != keys.end() ? std::optional(found->second) : std::nullopt;
}

/// A tool that works on the desk. Files may be slow and locked, so all run on workers.
template <class Request, class Made>
void add(server::Server& to, const Desk& desk, const Config& config, const char* name,
         const char* description, Answer<Made> (*handler)(const Desk&, const Request&, Context&)) {
  constexpr std::chrono::seconds kDeadline(10);
  server::Tool tool =
      to.tool(name, description, [desk, handler](const Request& asked, Context& context) {
        return handler(desk, asked, context);
      });
  tool.slow(kDeadline);
  const auto limit = config.rate_limits.find(name);
  if (limit == config.rate_limits.end()) return;
  tool.rate_limit({limit->second.per_minute, limit->second.burst});
}

Status check_limits(const Config& config) {
  for (const auto& [name, ignored] : config.rate_limits) {
    if (name == "spec" || name == "task" || name == "journal") continue;
    return enfold::fail(enfold::ErrorCode::invalid_input,
                        "expected the name of a tool, found \"" + name + "\"", "/rate_limits",
                        "the tools are spec, task and journal");
  }
  return {};
}

Status check_keys(const Config& config) {
  for (const auto& [hash, principal] : config.keys) {
    const bool is_hash =
        hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (is_hash && !principal.empty()) continue;
    return enfold::fail(
        enfold::ErrorCode::invalid_input,
        "expected a SHA-256 as 64 hex digits in lower case, and a principal, found \"" + hash +
            "\": \"" + principal + "\"",
        "/keys", "printf %s KEY | sha256sum gives it");
  }
  return {};
}

Result<server::Server> make_server(const Config& config, const std::filesystem::path& here) {
  ENFOLD_TRY(check_limits(config));
  ENFOLD_TRY(check_keys(config));
  ENFOLD_TRY(read_flags(config));
  ENFOLD_TRY(std::shared_ptr<const Folder> folder,
             Folder::open(config.folder, config.sample.empty() ? "" : here / config.sample));
  ENFOLD_TRY(server::Settings settings, make_settings(config, *folder));
  const Desk desk{std::move(folder), config.approval};

  server::Server foundry("foundry", "1.0.0", std::move(settings));
  foundry.instructions =
      "Specifications and their tasks. Begin with spec(action=\"list\"); the next task is "
      "task(action=\"next\").";
  if (!config.keys.empty()) {
    foundry.identify = [keys = config.keys](auto key) { return owner_of(keys, key); };
  }
  add(foundry, desk, config, "spec",
      "Specifications: list, get, create, edit, move, add-phase, check, delete", spec);
  add(foundry, desk, config, "task",
      "Tasks of a specification: query, get, next, add, edit, start, block, complete, "
      "complete-batch, reopen, progress",
      task);
  add(foundry, desk, config, "journal", "What happened to a specification: list, or add a note",
      journal);
  return foundry;
}

}  // namespace
}  // namespace foundry

int main(int argc, char** argv) {
  return enfold::server::run<foundry::Config>(argc, argv, foundry::make_server);
}
