// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/fetch_tool.h"
#include "tests/promises/pipeline_checks.h"

#include <chrono>
#include <fmt/core.h>

namespace enfold::testing {

// A reader copies the call that a cut answer names, and gets an answer.
void check_way_back(const Run& run, store::Archive& archive, const Claim& claim) {
  using namespace std::chrono_literals;
  if (run.prepared.fits) return;
  const std::string& said = run.after().reduction->way_back;
  if (said.empty()) return;
  claim(said.starts_with(fmt::format("{} {{", tools::kFetchTool)), "the tool is named: " + said);
  const auto arguments = json::parse(said.substr(tools::kFetchTool.size() + 1));
  claim(arguments.has_value(), "its arguments are JSON: " + said);
  const tools::FetchSource source{&archive, nullptr, "ann", kNow + 1h};
  answer::FitSettings settings = run.drawn.settings;
  settings.budget.lines.reset();
  const answer::ReadAnswer answer = tools::fetch(arguments->root(), source, settings, {});
  const model::Response& response = answer.reading.response;
  claim(!response.failure,
        fmt::format("{} works: {}", said, response.failure ? response.failure->message : ""));
}

}  // namespace enfold::testing
