// SPDX-License-Identifier: Apache-2.0
#include "analyze.h"
#include "crawl.h"
#include "enfold/server/run.h"
#include "extract.h"
#include "references.h"
#include "scan.h"

#include <filesystem>
#include <fmt/core.h>
#include <fmt/ranges.h>

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
    return server::arguments(
        server::argument("root", &Config::root)
            .describe("Folder with the sources, relative to this file")
            .defaulted(),
        server::argument("tier", &Config::tier).defaulted(),
        server::argument("time_limit_ms", &Config::time_limit_ms)
            .describe("How long a call may read a folder; 0: every one times out")
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

/// A tool on the workbench. Each says for itself what it can do at this tier.
class Tool {
 public:
  template <class Request, class Response>
  Tool(server::Server& server, const std::shared_ptr<const Workbench>& bench, const char* name,
       const char* description,
       server::Answer<Response> (*handler)(const Workbench&, const Request&, server::Context&))
      : tool_(server.tool(name, description,
                          [bench, handler](const Request& asked, server::Context& context) {
                            return handler(*bench, asked, context);
                          })),
        limits_(limits_of(bench->tier)) {
    tool_.read_only().idempotent().open_world(false).slow(std::chrono::minutes(11));
    tool_.version("1.0.0").capability("envelope-v1");
    std::vector<std::string_view> languages;
    for (const std::string_view language : model::Names<Language>::values) {
      const bool has = has_language(bench->tier, *model::from_name<Language>(language));
      if (has) languages.push_back(language);
    }
    tool_.capability(fmt::format("languages:{}", fmt::join(languages, ",")));
    tool_.capability(fmt::format("max-file-bytes:{}", limits_.file_bytes));
  }

  /// A number that the tier limits; nothing is said of one that is 0, as the feature is missing.
  Tool& limited(std::string_view name, std::size_t TierLimits::* limit) {
    if (limits_.*limit > 0) tool_.capability(fmt::format("{}:{}", name, limits_.*limit));
    return *this;
  }
  Tool& can(std::string name, bool yes = true) {
    if (yes) tool_.capability(std::move(name));
    return *this;
  }

 private:
  server::Tool tool_;
  const TierLimits& limits_;
};

void add_tools(server::Server& server, const std::shared_ptr<const Workbench>& bench) {
  const bool imports = limits_of(bench->tier).imports;
  Tool(server, bench, "security_scan", "Looks for known weaknesses in a source file or folder",
       scan)
      .limited("max-files", &TierLimits::files)
      .limited("max-findings", &TierLimits::findings)
      .limited("context-lines", &TierLimits::context_lines)
      .can("custom-rules", bench->tier == Tier::enterprise);
  Tool(server, bench, "extract_code", "Cuts a function, class or range of lines out of a file",
       extract)
      .limited("max-lines", &TierLimits::extract_lines)
      .limited("context-lines", &TierLimits::context_lines)
      .can("imports", imports);
  Tool(server, bench, "analyze_code", "Lists the functions, classes and methods of a file", analyze)
      .can("imports", imports);
  Tool(server, bench, "crawl_project", "Counts what a folder holds, by language", crawl)
      .limited("max-files", &TierLimits::files);
  Tool(server, bench, "get_symbol_references", "Finds the lines of code on which a name stands",
       find_references)
      .limited("max-files", &TierLimits::files)
      .limited("max-references", &TierLimits::references);
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
  scalpel.instructions =
      "Looks for weaknesses in source files, finds symbols and cuts them out. `coverage` says how "
      "many files an answer is about.";

  const auto bench = std::make_shared<const Workbench>(
      Workbench{SourceRoot(folder / config.root), config.tier, std::move(*rules),
                std::chrono::milliseconds(config.time_limit_ms)});
  add_tools(scalpel, bench);
  return scalpel;
}

}  // namespace
}  // namespace scalpel

int main(int argc, char** argv) {
  return enfold::server::run<scalpel::Config>(argc, argv, scalpel::make);
}
