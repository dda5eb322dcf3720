// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"

#include <gtest/gtest.h>
#include <map>

namespace enfold::contract {
namespace {

using model::Severity;

TEST(WarningCodes, are_these_with_these_severities) {
  const std::map<std::string_view, std::string_view> want{
      {"CONTENT_TRUNCATED", "info"},
      {"STALE_CACHE", "warning"},
      {"PARTIAL_FAILURE", "warning"},
      {"CONTRADICTORY_OUTCOME", "warning"},
      {"DEPRECATED_FIELD", "info"},
      {"RATE_LIMIT_APPROACHING", "warning"},
      {"FALLBACK_USED", "info"},
      {"CONTENT_DROPPED", "info"},
      {"PRIORITY_SUMMARIZED", "info"},
      {"SUMMARY_PROVIDER_FAILED", "warning"},
      {"TOKEN_BUDGET_FLOORED", "warning"},
      {"LIMITS_DEFAULTED", "info"},
      {"ARCHIVE_WRITE_FAILED", "warning"},
      {"ARCHIVE_DISABLED", "info"},
      {"ARCHIVE_READ_CORRUPT", "warning"},
      {"PROTECTED_OVERFLOW", "warning"},
      {"STATE_MIGRATION_RECOVERED", "info"},
      {"TOKEN_COUNT_ESTIMATE_USED", "info"},
      {"CHUNK_FAILURE", "warning"},
      {"POSSIBLE_FAILURE", "warning"},
      {"DUPLICATE_KEYS", "info"},
      {"LONE_SURROGATE", "info"},
      {"WIDE_OBJECT", "info"},
      {"UNSUPPORTED_VERSION", "warning"},
      {"UNKNOWN_FEATURE", "warning"},
      {"UPGRADE_AVAILABLE", "info"},
      {"SECRET_REDACTED", "warning"},
      {"SCHEMA_MISMATCH", "warning"},
      {"SCHEMA_REPAIRED", "info"},
      {"SESSION_BUDGET_APPROACHING", "warning"},
      {"SESSION_BUDGET_EXCEEDED", "warning"},
      {"INVALID_LEVEL", "warning"},
      {"FEATURE_DEPRECATED", "warning"},
  };
  for (const auto& [code, severity] : want) {
    const WarningCode* const found = find_warning(code);
    ASSERT_NE(found, nullptr) << code;
    EXPECT_EQ(model::name(found->severity), severity) << code;
    EXPECT_FALSE(found->description.empty()) << code;
  }
  EXPECT_EQ(known_warnings().size(), want.size()) << "a code without a stated severity";
}

TEST(WarningCodes, are_sorted_and_unique) {
  const auto codes = known_warnings();
  for (std::size_t i = 1; i < codes.size(); ++i) EXPECT_LT(codes[i - 1].code, codes[i].code);
}

TEST(Warnings, take_their_severity_from_the_registry) {
  const auto context = json::parse_own(R"({"age":3})");
  const model::Warning known = make_warning("STALE_CACHE", "old", context);
  EXPECT_EQ(known, (model::Warning{"STALE_CACHE", Severity::warning, "old", context}));
  EXPECT_EQ(make_warning("FALLBACK_USED", "x").severity, Severity::info);
  EXPECT_EQ(make_warning("FALLBACK_USED", "x").context, std::nullopt);
  EXPECT_EQ(make_warning("MADE_UP", "x").severity, Severity::warning);
  EXPECT_EQ(find_warning("MADE_UP"), nullptr);
  EXPECT_EQ(find_warning("ZZZ"), nullptr);
}

}  // namespace
}  // namespace enfold::contract
