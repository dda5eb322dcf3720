// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"

#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace enfold::contract {
namespace {

using model::Severity;

TEST(WarningCodes, are_these_with_these_severities) {
  const std::map<std::string_view, std::string_view> want{
      {"CONTENT_TRUNCATED", "info"},
      {"STALE_CACHE", "warning"},
      {"PARTIAL_FAILURE", "warning"},
      {"CONTRACT_APPLIED", "info"},
      {"CONTRACT_VIOLATION", "warning"},
      {"CONTRADICTORY_OUTCOME", "warning"},
      {"DEPRECATED_FIELD", "info"},
      {"RATE_LIMIT_APPROACHING", "warning"},
      {"FALLBACK_USED", "info"},
      {"ARCHIVE_VOLATILE", "warning"},
      {"ARCHIVE_WRITE_FAILED", "warning"},
      {"ARCHIVE_DISABLED", "info"},
      {"ARCHIVE_READ_CORRUPT", "warning"},
      {"POSSIBLE_FAILURE", "warning"},
      {"QUERY_NOTE", "info"},
      {"REQUEST_ID_REPLACED", "info"},
      {"META_DROPPED", "warning"},
      {"NOT_REMEMBERED", "warning"},
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

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::filesystem::path kSource = ENFOLD_SOURCE_DIR;

TEST(WarningCodes, have_one_row_each_in_the_reference) {
  const std::string page = text_of(kSource / "docs/reference/contracts/warnings.md");
  for (const WarningCode& one : known_warnings()) {
    const std::string row = fmt::format("\n| {} | {} |", one.code, model::name(one.severity));
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  std::size_t rows = 0;
  for (std::size_t at = page.find("## Registry"); at != std::string::npos && at < page.size();) {
    at = page.find("\n| ", at);
    if (at == std::string::npos || at > page.find("## Warning or failure")) break;
    const std::size_t code = at + 3;
    rows += page[code] >= 'A' && page[code] <= 'Z' ? 1U : 0U;
    at = code;
  }
  EXPECT_EQ(rows, known_warnings().size()) << "a row for a code that Enfold does not know";
}

// A code is written where it is emitted: in quotes, outside the registry and the command line.
TEST(WarningCodes, have_an_emitter_each) {
  std::string sources;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kSource / "src/enfold")) {
    if (file.path().extension() != ".cc" || file.path().filename() == "error_codes.cc") continue;
    sources += text_of(file.path());
  }
  for (const WarningCode& one : known_warnings()) {
    EXPECT_NE(sources.find(fmt::format("\"{}\"", one.code)), std::string::npos) << one.code;
  }
  // And each code that is emitted is known.
  constexpr std::string_view call = "make_warning(";
  for (std::size_t at = sources.find(call); at != std::string::npos; at = sources.find(call, at)) {
    at += call.size();
    const std::size_t start = sources.find_first_not_of(" \n", at);
    if (sources[start] != '"') continue;
    const std::string code = sources.substr(start + 1, sources.find('"', start + 1) - start - 1);
    EXPECT_NE(find_warning(code), nullptr) << code;
  }
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
