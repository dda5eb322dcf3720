// SPDX-License-Identifier: Apache-2.0
// Specifications and their tasks in a folder of Markdown and JSON files, behind the tools `spec`
// and `task`. Every answer is a response-v2 envelope, or response-v1 where the flag
// response_contract_v2 is off for the client.
#include "enfold/server/run.h"
#include "enfold/store/archive.h"
#include "tools.h"

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
  std::map<std::string, Limit> rate_limits;
  enfold::json::Value flags;
  std::string archive;
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
        argument("rate_limits", &Config::rate_limits)
            .describe("For each tool: per_minute and burst")
            .defaulted(),
        argument("flags", &Config::flags)
            .describe("Feature flags: name to true, false or an object such as "
                      "{\"percentage_rollout\": 25}")
            .defaulted(),
        argument("archive", &Config::archive)
            .describe("SQLite file for what was cut from answers; empty: in memory")
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

Result<server::Settings> make_settings(const Config& config) {
  server::Settings settings;
  auto flags = read_flags(config);
  if (!flags) return tl::unexpected(flags.error());
  settings.flags = std::move(*flags);
  settings.budget.emplace();
  settings.budget->tokens = static_cast<std::size_t>(config.budget_tokens);
  if (!config.archive.empty()) {
    auto archive = enfold::store::open_archive(config.archive);
    if (!archive) return tl::unexpected(archive.error());
    settings.archive = std::move(*archive);
  }
  return settings;
}

void limit(server::Tool tool, const std::string& name, const Config& config) {
  const auto found = config.rate_limits.find(name);
  if (found == config.rate_limits.end()) return;
  tool.rate_limit({found->second.per_minute, found->second.burst});
}

Result<server::Server> make_server(const Config& config, const std::filesystem::path& here) {
  for (const auto& [name, ignored] : config.rate_limits) {
    if (name == "spec" || name == "task") continue;
    return enfold::fail(enfold::ErrorCode::invalid_input,
                        "expected the name of a tool, found \"" + name + "\"", "/rate_limits",
                        "the tools are spec and task");
  }
  Result<server::Settings> settings = make_settings(config);
  if (!settings) return tl::unexpected(settings.error());
  auto folder = Folder::open(
      config.folder, config.sample.empty() ? config.sample : (here / config.sample).string());
  if (!folder) return tl::unexpected(folder.error());
  const Desk desk{std::move(*folder), config.approval};

  // Files may be slow, so the handlers run on workers.
  constexpr std::chrono::seconds kDeadline(10);
  server::Server foundry("foundry", "1.0.0", std::move(*settings));
  foundry.instructions =
      "Specifications and their tasks. Begin with spec(action=\"list\"); the next task is "
      "task(action=\"next\").";
  limit(foundry
            .tool("spec", "Specifications: list, get, create, move, check, delete",
                  [desk](const SpecCall& asked, Context& context) {
                    return spec(desk, asked, context);
                  })
            .slow(kDeadline),
        "spec", config);
  limit(foundry
            .tool("task",
                  "Tasks of a specification: query, get, next, add, start, complete, "
                  "complete-batch, block, progress",
                  [desk](const TaskCall& asked, Context& context) {
                    return task(desk, asked, context);
                  })
            .slow(kDeadline),
        "task", config);
  return foundry;
}

}  // namespace
}  // namespace foundry

int main(int argc, char** argv) {
  return enfold::server::run<foundry::Config>(argc, argv, foundry::make_server);
}
