// SPDX-License-Identifier: Apache-2.0
// Any text as the metrics that `enfold top` reads: figures or a reason, and a latency is never
// outside its buckets.
#include "cli/terminal/metrics_table.h"
#include "fuzz/check.h"

namespace enfold::fuzz {
namespace {

void check(std::string_view input) {
  const auto figures = cli::read_metrics(input);
  if (!figures) {
    require(!figures.error().message.empty(), "a refusal says why", input);
    return;
  }
  for (const auto& [name, tool] : figures->tools)
    for (const double share : {0.0, 0.5, 0.99, 1.0}) (void)cli::quantile(tool, share);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
