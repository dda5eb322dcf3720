// SPDX-License-Identifier: Apache-2.0
// Any JSON as settings of levels, of fitting, of feature flags, or as arguments of enfold_fetch:
// it is read, or refused with a reason.
#include "enfold/level/settings.h"

#include "enfold/budget/budget.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/retrieve/query.h"
#include "fuzz/check.h"

namespace enfold::fuzz {
namespace {

template <class T>
void require_reason(const Result<T>& read, std::string_view input) {
  require(read || !read.error().message.empty(), "a refusal says why", input);
}

void check(std::string_view input) {
  require_reason(retrieve::parse_condition(input), input);
  const auto document = json::parse(input);
  if (!document) return;
  require_reason(level::read_settings(document->root()), input);
  require_reason(budget::read_policy(document->root()), input);
  require_reason(retrieve::parse_arguments(document->root()), input);
  const auto flags = contract::Flags::load(document->root());
  require_reason(flags, input);
  if (!flags) return;
  for (const contract::FlagListing& flag : flags->list("client", 1'800'000'000)) {
    const auto decision = flags->evaluate(flag.name, "client", 1'800'000'000);
    require(decision.enabled == flags->is_enabled(flag.name, "client", 1'800'000'000),
            "both questions get one answer", input);
  }
  (void)flags->audit(1'800'000'000);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
