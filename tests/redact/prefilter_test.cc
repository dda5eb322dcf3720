// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/anchors.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace enfold::redact::detail {
namespace {

std::vector<std::size_t> candidates(const Prefilter& filter, std::string_view text) {
  std::vector<std::size_t> found;
  Candidates all(filter, text);
  for (std::size_t at = 0; at < text.size();) {
    const Candidate candidate = all.next(at);
    if (candidate.anchors != 0) found.push_back(candidate.at);
    at = candidate.at + 1;
  }
  return found;
}

// A text that is too short for the sieve, around each place.
std::vector<std::size_t> candidates_one_by_one(const Prefilter& filter, std::string_view text) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Candidate candidate = Candidates(filter, text.substr(at, 4)).next(0);
    if (candidate.anchors != 0 && candidate.at == 0) found.push_back(at);
  }
  return found;
}

TEST(Prefilter, finds_the_same_places_in_long_and_in_short_texts) {
  const std::vector<std::string> fragments{
      "ghp_",     "sk-", "AKIA",  "eyJ",    "://", "BEGI",  "bearer", ":AA",    "hook", "password",
      "_pass",    "Key", "\"pin", "secret", "a@b", "+49 1", "\\u00",  ":\\/",   "x",    "the ",
      "\xC3\xA9", "0",   "tok",   "e",      "ken", "AuTh",  "cooki",  "account"};
  Policy all;
  all.personal_data = true;
  all.extra_keys = {"account number", "x"};
  for (const Policy& policy : {Policy{}, all}) {
    const Prefilter filter(policy);
    testing::check_property("prefilter", testing::property_cases(2'000, 100'000), [&] {
      std::string text;
      const auto drawn = *rc::gen::container<std::vector<std::size_t>>(
          rc::gen::inRange<std::size_t>(0, fragments.size()));
      for (const std::size_t one : drawn) text += fragments[one];
      RC_ASSERT(candidates(filter, text) == candidates_one_by_one(filter, text));
    });
  }
}

}  // namespace
}  // namespace enfold::redact::detail
