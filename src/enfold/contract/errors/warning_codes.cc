// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/warning_codes.h"

#include <algorithm>
#include <array>

namespace enfold::contract {
namespace {

using model::Severity;

constexpr auto kWarnings = std::to_array<WarningCode>({
    {"ARCHIVE_DISABLED", Severity::info, "what was removed was not archived: the archive is off"},
    {"ARCHIVE_READ_CORRUPT", Severity::warning, "an archived answer no longer matches its hash"},
    {"ARCHIVE_WRITE_FAILED", Severity::warning, "the whole answer could not be archived"},
    {"CHUNK_FAILURE", Severity::warning, "one part of an item could not be processed"},
    {"CONTENT_DROPPED", Severity::info, "whole items were left out to fit the budget"},
    {"CONTENT_TRUNCATED", Severity::info, "the answer was shortened to fit the budget"},
    {"DEPRECATED_FIELD", Severity::info, "a member or argument in use will be removed"},
    {"DUPLICATE_KEYS", Severity::info, "an object of the answer repeats a key"},
    {"FALLBACK_USED", Severity::info, "a second source answered in place of the first"},
    {"FEATURE_DEPRECATED", Severity::warning, "a feature in use will be removed"},
    {"INVALID_LEVEL", Severity::warning, "an unknown response level was asked for"},
    {"LIMITS_DEFAULTED", Severity::info, "the limits of the model are not known, defaults apply"},
    {"LONE_SURROGATE", Severity::info, "a string of the answer is not valid Unicode"},
    {"PARTIAL_FAILURE", Severity::warning, "some items failed, others succeeded"},
    {"POSSIBLE_FAILURE", Severity::warning, "a success whose text or members read like a failure"},
    {"PRIORITY_SUMMARIZED", Severity::info, "items of high priority were condensed, not dropped"},
    {"PROTECTED_OVERFLOW", Severity::warning, "protected content alone exceeds the budget"},
    {"RATE_LIMIT_APPROACHING", Severity::warning, "few calls are left in this period"},
    {"SCHEMA_MISMATCH", Severity::warning, "the payload does not match the announced schema"},
    {"SCHEMA_REPAIRED", Severity::info, "missing structured content was taken from the text"},
    {"SECRET_REDACTED", Severity::warning, "a credential in the answer was replaced"},
    {"SESSION_BUDGET_APPROACHING", Severity::warning, "few tokens are left for this session"},
    {"SESSION_BUDGET_EXCEEDED", Severity::warning, "the tokens of this session are used up"},
    {"STALE_CACHE", Severity::warning, "the answer is older than the allowed freshness"},
    {"STATE_MIGRATION_RECOVERED", Severity::info, "stored state of an older form was converted"},
    {"SUMMARY_PROVIDER_FAILED", Severity::warning, "a summary could not be made"},
    {"TOKEN_BUDGET_FLOORED", Severity::warning, "the budget was raised to keep the least needed"},
    {"TOKEN_COUNT_ESTIMATE_USED", Severity::info, "tokens were estimated from the text's length"},
    {"UNKNOWN_FEATURE", Severity::warning, "a feature that this server does not know"},
    {"UNSUPPORTED_VERSION", Severity::warning,
     "a contract version that this server does not speak"},
    {"UPGRADE_AVAILABLE", Severity::info, "another tier of the tool would have done more"},
    {"WIDE_OBJECT", Severity::info, "an object of the answer has very many members"},
});
static_assert(std::ranges::adjacent_find(kWarnings, std::ranges::greater_equal{},
                                         &WarningCode::code) == kWarnings.end(),
              "find_warning uses binary search");

}  // namespace

std::span<const WarningCode> known_warnings() { return kWarnings; }

const WarningCode* find_warning(std::string_view code) {
  const auto* const at = std::ranges::lower_bound(kWarnings, code, {}, &WarningCode::code);
  return at != kWarnings.end() && at->code == code ? at : nullptr;
}

model::Warning make_warning(std::string_view code, std::string message,
                            std::optional<json::Value> context) {
  const WarningCode* const known = find_warning(code);
  return {.code = std::string(code),
          .severity = known != nullptr ? known->severity : Severity::warning,
          .message = std::move(message),
          .context = std::move(context)};
}

}  // namespace enfold::contract
