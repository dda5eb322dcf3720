// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"
#include "extract.h"

#include <fmt/core.h>

namespace scalpel {
namespace {

using namespace enfold;

/// A rule of the operator's own; tier enterprise applies them.
struct CustomRule {
  std::string id;
  Language language = Language::python;
  Severity severity = Severity::medium;
  std::string cwe;
  std::string what;
  std::string advice;
  std::vector<std::string> patterns;

  static constexpr auto arguments() {
    using This = CustomRule;
    return server::arguments(server::argument("id", &This::id).pattern("^[A-Z][A-Z0-9-]{1,30}$"),
                             server::argument("language", &This::language),
                             server::argument("severity", &This::severity).defaulted(),
                             server::argument("cwe", &This::cwe).defaulted(),
                             server::argument("what", &This::what).at_least(1),
                             server::argument("advice", &This::advice).defaulted(),
                             server::argument("patterns", &This::patterns)
                                 .describe("Elements with spaces between them; see README.md")
                                 .at_least(1));
  }
};

struct Config {
  std::string root = ".";
  Tier tier = Tier::community;
  std::size_t time_limit_ms = 10'000;
  std::optional<std::uint32_t> calls_per_minute;
  std::vector<CustomRule> custom_rules;

  static constexpr auto arguments() {
    return server::arguments(server::argument("root", &Config::root)
                                 .describe("Folder with the sources, relative to this file")
                                 .defaulted(),
                             server::argument("tier", &Config::tier).defaulted(),
                             server::argument("time_limit_ms", &Config::time_limit_ms)
                                 .describe("How long a scan may take; 0 lets every scan time out")
                                 .at_most(600'000)
                                 .defaulted(),
                             server::argument("calls_per_minute", &Config::calls_per_minute)
                                 .describe("Of each tool")
                                 .at_least(1),
                             server::argument("custom_rules", &Config::custom_rules).defaulted());
  }
};

Result<std::vector<Rule>> all_rules(const Config& config) {
  std::vector<Rule> rules = built_in_rules();
  for (const CustomRule& custom : config.custom_rules) {
    Rule rule{custom.id,        custom.language, custom.severity, custom.cwe,
              Tier::enterprise, custom.what,     custom.advice,   {}};
    for (const std::string& text : custom.patterns) {
      Result<Pattern> pattern = compile_pattern(text);
      if (!pattern) {
        Error error = pattern.error();
        error.where = fmt::format("custom rule {}, pattern {}", custom.id, text);
        return tl::unexpected(std::move(error));
      }
      rule.patterns.push_back(std::move(*pattern));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

void describe(server::Tool tool, Tier tier) {
  tool.read_only().idempotent().open_world(false).slow(std::chrono::minutes(11));
  tool.version("1.0.0").capability("envelope-v1");
  if (limits_of(tier).compiled_languages) tool.capability("compiled-languages");
  if (limits_of(tier).context_lines > 0) tool.capability("context-lines");
  if (tier == Tier::enterprise) tool.capability("custom-rules");
}

Result<server::Server> make(const Config& config, const std::filesystem::path& folder) {
  Result<std::vector<Rule>> rules = all_rules(config);
  if (!rules) return tl::unexpected(rules.error());
  server::Settings settings;
  settings.contract = "scalpel-v1";
  settings.tier = config.tier;
  if (config.calls_per_minute)
    settings.rate_limit = store::RateLimit{*config.calls_per_minute, *config.calls_per_minute};
  server::Server scalpel("scalpel", "1.0.0", std::move(settings));
  scalpel.title = "Scalpel";
  scalpel.instructions = "Looks for weaknesses in source files and cuts pieces out of them.";

  const auto bench = std::make_shared<const Workbench>(
      Workbench{SourceRoot(folder / config.root), config.tier, std::move(*rules),
                std::chrono::milliseconds(config.time_limit_ms)});
  describe(scalpel.tool("security_scan", "Looks for known weaknesses in a source file or folder",
                        [bench](const ScanRequest& asked, server::Context& context) {
                          return scan(*bench, asked, context);
                        }),
           config.tier);
  describe(scalpel.tool("extract_code", "Cuts a function, class or range of lines out of a file",
                        [bench](const ExtractRequest& asked, server::Context& context) {
                          return extract(*bench, asked, context);
                        }),
           config.tier);
  return scalpel;
}

}  // namespace
}  // namespace scalpel

int main(int argc, char** argv) {
  return enfold::server::run<scalpel::Config>(argc, argv, scalpel::make);
}
