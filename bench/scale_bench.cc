// SPDX-License-Identifier: Apache-2.0
// What an operation costs when there is much of what it must not depend on: archived answers,
// principals, expired answers, tools, upstreams, sessions.
//   scale_bench [PART] [--quick] [--record FOLDER]
#include "bench/scale.h"

#include <cstdlib>

namespace enfold::bench {
namespace {

struct Part {
  const char* name;
  void (*measure)(ScaleReport&);
};
constexpr Part kParts[] = {{"archive", measure_archive}, {"gateway", measure_gateway}};

double load_average() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

int run(const std::vector<std::string>& words) {
  ScaleReport report;
  std::string folder;
  std::string only;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quick") {
      report.quick = true;
    } else if (words[i] == "--record" && i + 1 < words.size()) {
      folder = words[++i];
    } else if (!words[i].starts_with("-") && only.empty()) {
      only = words[i];
    } else {
      fmt::print(stderr, "usage: scale_bench [PART] [--quick] [--record FOLDER]\n");
      return 5;
    }
  }
  report.add(
      fmt::format("## Scale\n\nThe load average at the start was {:.1f}.\n", load_average()));
  for (const Part& part : kParts) {
    if (only.empty() || only == part.name) part.measure(report);
  }
  report.add(report.verdicts.to_markdown());
  if (!folder.empty()) record(folder, "scale", "Scale", report.text);
  return 0;
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  return enfold::bench::run(std::vector<std::string>(argv + 1, argv + argc));
}
