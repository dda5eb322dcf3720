// SPDX-License-Identifier: Apache-2.0
// Any JSON as an answer in each contract: whatever is read can be written in the same contract,
// and a valid answer is the same as before.
#include "enfold/contract/contract.h"

#include "enfold/schema/schema.h"
#include "fuzz/check.h"

namespace enfold::fuzz {
namespace {

using contract::Id;

void check(std::string_view input) {
  const Limits limits{.max_depth = 64};
  const auto document = json::parse(input, limits);
  if (!document) {
    const contract::Reading text = contract::read_text(input);
    (void)contract::shape_of(text.response);
    return;
  }
  const Id found = contract::detect(document->root());
  for (const contract::Description& one : contract::all()) {
    if (one.id == Id::text || (one.id != found && !contract::is_envelope(one.id))) continue;
    const auto reading = contract::read(one.id, document->root());
    if (!reading) continue;
    (void)contract::shape_of(reading->response);
    const auto output = contract::write(*reading, one.id, {});
    if (!output) continue;
    const auto again = json::parse(output->str());
    require(again.has_value(), "a written answer is JSON", input);
    if (one.id != found || !contract::is_envelope(found) || document->oddities().any()) continue;
    if (const auto checked = contract::validate(found, document->root()); checked && checked->valid)
      require(json::equal(again->root(), document->root()), "an answer comes back", input);
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
