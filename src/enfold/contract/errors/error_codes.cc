// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

using model::ErrorKind;
using model::ErrorType;

// In the order of ErrorType.
constexpr std::array<Retry, 9> kRetries{Retry::no, Retry::no,           Retry::no,
                                        Retry::no, Retry::after_check,  Retry::after_delay,
                                        Retry::no, Retry::with_backoff, Retry::with_backoff};

// In the order of ErrorKind. `correctable`: the server says how the input must be corrected. A
// remediation suggests a retry only for kinds where a retry can help.
constexpr std::array<KindTraits, 17> kKinds{{
    {ErrorKind::bad_input, ErrorType::validation, "VALIDATION_ERROR", "invalid_argument", Retry::no,
     "Correct the input that the message names, then call again."},
    {ErrorKind::bad_path, ErrorType::validation, "VALIDATION_ERROR", "invalid_path", Retry::no,
     "Pass a path that this tool may use."},
    {ErrorKind::unauthenticated, ErrorType::authentication, "UNAUTHORIZED", "forbidden", Retry::no,
     "Sign in or renew the credentials first; the same call fails until then."},
    {ErrorKind::not_allowed, ErrorType::authorization, "FORBIDDEN", "forbidden", Retry::no,
     "Ask the owner of the resource for access."},
    {ErrorKind::missing, ErrorType::not_found, "NOT_FOUND", "not_found", Retry::no,
     "Check the name or id, or list what exists."},
    {ErrorKind::conflict, ErrorType::conflict, "CONFLICT", "invalid_argument", Retry::after_check,
     "Check the current state of the resource, then decide whether to call again."},
    {ErrorKind::throttled, ErrorType::rate_limit, "RATE_LIMIT_EXCEEDED", "resource_exhausted",
     Retry::after_delay, "Wait before the next call, and combine calls where possible."},
    {ErrorKind::flag_off, ErrorType::feature_flag, "FEATURE_DISABLED", "not_implemented", Retry::no,
     "Ask the operator to enable the feature, or do without it."},
    {ErrorKind::tier_too_low, ErrorType::feature_flag, "FEATURE_DISABLED", "upgrade_required",
     Retry::no, "Upgrade the plan, or call without this feature."},
    {ErrorKind::not_built, ErrorType::feature_flag, "NOT_IMPLEMENTED", "not_implemented", Retry::no,
     "Use another tool or action."},
    {ErrorKind::timeout, ErrorType::unavailable, "TIMEOUT", "timeout", Retry::with_backoff,
     "Ask for less, or call again later."},
    {ErrorKind::dependency_down, ErrorType::unavailable, "UNAVAILABLE", "dependency_unavailable",
     Retry::with_backoff, "Call again later, with increasing pauses."},
    {ErrorKind::too_large, ErrorType::validation, "PAYLOAD_TOO_LARGE", "too_large", Retry::no,
     "Ask for less: use a filter, a page size or a lower level of detail."},
    {ErrorKind::exhausted, ErrorType::unavailable, "RESOURCE_BUSY", "resource_exhausted",
     Retry::after_check, "Free the resource that ran out, or wait until it is free."},
    {ErrorKind::correctable, ErrorType::validation, "VALIDATION_ERROR", "correction_needed",
     Retry::no, "Call again with the correction that the message suggests."},
    {ErrorKind::bug, ErrorType::internal, "INTERNAL_ERROR", "internal_error", Retry::with_backoff,
     "Report the failure; a later retry helps only if the cause was temporary."},
    {ErrorKind::tool_error, ErrorType::internal, "TOOL_ERROR", "internal_error", Retry::no,
     "Act on the message first; the same call is likely to fail again."},
}};

struct CodeGroup {
  ErrorKind kind;
  ErrorType type;
  std::string_view codes;  ///< separated by spaces
};

// JSON-RPC and HTTP numbers, codes of response-v2, gRPC, POSIX, and scalpel-v1 (lower case).
constexpr auto kCodes = std::to_array<CodeGroup>({
    {ErrorKind::bad_input, ErrorType::validation,
     "-32600 -32602 -32700 400 406 415 422 AUTO_MODE_SPEC_REQUIRED EINVAL INVALID_ACTION "
     "INVALID_ARGUMENT INVALID_CURSOR INVALID_FORMAT INVALID_GATE_ACK INVALID_GATE_EVIDENCE "
     "INVALID_LIFECYCLE_TRANSITION INVALID_OPTIONS INVALID_PARENT INVALID_POSITION "
     "INVALID_REGEX_PATTERN INVALID_SCOPE INVALID_STATUS INVALID_TRANSITION MISSING_REQUIRED "
     "OUT_OF_RANGE PATTERN_TOO_BROAD SELF_REFERENCE STEP_RESULT_REQUIRED VALIDATION_ERROR "
     "invalid_argument"},
    {ErrorKind::bad_path, ErrorType::validation, "EISDIR ELOOP ENAMETOOLONG ENOTDIR invalid_path"},
    {ErrorKind::unauthenticated, ErrorType::authentication, "401 UNAUTHENTICATED UNAUTHORIZED"},
    {ErrorKind::not_allowed, ErrorType::authorization,
     "403 ACCESS_DENIED AUTHORIZATION EACCES EPERM EROFS FORBIDDEN PERMISSION_DENIED forbidden"},
    {ErrorKind::missing, ErrorType::not_found,
     "-32002 404 410 AI_PROMPT_NOT_FOUND BACKUP_NOT_FOUND DEPENDENCY_NOT_FOUND ENOENT "
     "JOURNAL_NOT_FOUND MEMORY_NOT_FOUND NOT_FOUND NO_ACTIVE_SESSION NO_MATCHES_FOUND "
     "PHASE_NOT_FOUND REBASE_BACKUP_MISSING SPEC_NOT_FOUND TASK_NOT_FOUND TEMPLATE_NOT_FOUND "
     "WORKSPACE_NOT_FOUND not_found"},
    {ErrorKind::conflict, ErrorType::conflict,
     "409 412 423 ABORTED ALREADY_ACTIVE ALREADY_COMPLETED ALREADY_EXISTS AMBIGUOUS_ACTIVE_SESSION "
     "AUTONOMY_WRITE_LOCK_ACTIVE BLOCKED_TASK CIRCULAR_DEPENDENCY CONFLICT DEPENDENCY_ERROR "
     "DUPLICATE_ENTRY EADDRINUSE EEXIST ENOTEMPTY FAILED_PRECONDITION HEARTBEAT_STALE "
     "INCOMPLETE_DEPS INCOMPLETE_TASKS INVALID_STATE INVALID_STATE_TRANSITION "
     "MANUAL_GATE_ACK_REQUIRED REBASE_COMPLETED_TASKS_REMOVED SPEC_LOCKED SPEC_REBASE_REQUIRED "
     "SPEC_SESSION_EXISTS STEP_MISMATCH VERSION_CONFLICT"},
    {ErrorKind::throttled, ErrorType::rate_limit, "429 RATE_LIMITED RATE_LIMIT_EXCEEDED"},
    {ErrorKind::flag_off, ErrorType::feature_flag, "FEATURE_DISABLED"},
    {ErrorKind::tier_too_low, ErrorType::feature_flag, "402 upgrade_required"},
    {ErrorKind::not_built, ErrorType::feature_flag,
     "-32601 405 501 ENOSYS ENOTSUP EOPNOTSUPP NOT_IMPLEMENTED UNIMPLEMENTED not_implemented"},
    {ErrorKind::timeout, ErrorType::unavailable,
     "-32001 408 504 AI_PROVIDER_TIMEOUT DEADLINE_EXCEEDED ESOCKETTIMEDOUT ETIMEDOUT LOCK_TIMEOUT "
     "PROVIDER_TIMEOUT TIMEOUT UPSTREAM_TIMEOUT timeout"},
    {ErrorKind::dependency_down, ErrorType::unavailable,
     "-32000 502 503 AI_CACHE_STALE AI_NOT_AVAILABLE AI_NO_PROVIDER AI_PROVIDER_ERROR "
     "DATABASE_CONNECTION_ERROR EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH "
     "ENETUNREACH ENOTCONN ENOTFOUND EPIPE MEMORY_MANAGER_NOT_INITIALIZED UNAVAILABLE "
     "UPSTREAM_PROTOCOL_ERROR UPSTREAM_UNAVAILABLE dependency_unavailable"},
    {ErrorKind::too_large, ErrorType::unavailable, "AI_CONTEXT_TOO_LARGE"},
    {ErrorKind::too_large, ErrorType::validation,
     "413 414 E2BIG EFBIG EMSGSIZE PAYLOAD_TOO_LARGE RESOURCE_LIMIT_ERROR too_large"},
    {ErrorKind::exhausted, ErrorType::unavailable,
     "507 EAGAIN EBUSY EDQUOT EMFILE ENFILE ENOMEM ENOSPC RESOURCE_BUSY RESOURCE_EXHAUSTED "
     "resource_exhausted"},
    {ErrorKind::correctable, ErrorType::validation, "correction_needed"},
    {ErrorKind::bug, ErrorType::internal,
     "-32603 500 AI_CONSULTATION_ERROR BACKUP_CORRUPTED COMPARISON_FAILED CONSULT_FAILED DATA_LOSS "
     "EIO FILE_WRITE_ERROR INTERNAL INTERNAL_ERROR OPERATION_FAILED PROVIDER_ERROR "
     "PYTEST_NOT_FOUND ROLLBACK_FAILED SESSION_UNRECOVERABLE SPEC_LOAD_ERROR SPEC_SAVE_ERROR "
     "TEST_DISCOVERY_FAILED TEST_FAILED UNEXPECTED_ERROR UNKNOWN internal_error"},
});

std::vector<CodeEntry> sorted_codes() {
  std::vector<CodeEntry> all;
  for (const auto& [kind, type, codes] : kCodes) {
    for (std::size_t at = 0; at < codes.size();) {
      const std::size_t end = std::min(codes.find(' ', at), codes.size());
      all.push_back({codes.substr(at, end - at), type, kind});
      at = end + 1;
    }
  }
  std::ranges::sort(all, {}, &CodeEntry::code);
  return all;
}

// The kind of a failure whose type is known and whose code is not, in the order of ErrorType.
constexpr std::array<ErrorKind, 9> kUsualKinds{
    ErrorKind::bad_input,      ErrorKind::unauthenticated,
    ErrorKind::not_allowed,    ErrorKind::missing,
    ErrorKind::conflict,       ErrorKind::throttled,
    ErrorKind::flag_off,       ErrorKind::bug,
    ErrorKind::dependency_down};

// Any code that ends in _NOT_FOUND means a missing resource: USER_NOT_FOUND, REPO_NOT_FOUND.
bool says_not_found(std::string_view code) { return code.ends_with("_NOT_FOUND"); }

using model::Severity;

constexpr auto kWarnings = std::to_array<WarningCode>({
    {"ARCHIVE_DISABLED", Severity::info, "what was removed was not archived: the archive is off"},
    {"ARCHIVE_READ_CORRUPT", Severity::warning, "an archived answer no longer matches its hash"},
    {"ARCHIVE_VOLATILE", Severity::warning,
     "the archive fails; what was removed is kept in memory until the process ends"},
    {"ARCHIVE_WRITE_FAILED", Severity::warning, "the whole answer could not be archived"},
    {"CONTENT_TRUNCATED", Severity::info, "the answer was shortened to fit the budget"},
    {"CONTRACT_APPLIED", Severity::info,
     "an answer over the budget was written in a contract although none was asked for"},
    {"CONTRACT_VIOLATION", Severity::warning,
     "the answer breaks the contract that it follows; the context has the place and the value"},
    {"CONTRADICTORY_OUTCOME", Severity::warning,
     "members of the answer say both success and failure; the failure counts"},
    {"DEPRECATED_FIELD", Severity::info, "a member or argument in use will be removed"},
    {"DUPLICATE_KEYS", Severity::info, "an object of the answer repeats a key"},
    {"FALLBACK_USED", Severity::info, "a second source answered in place of the first"},
    {"FEATURE_DEPRECATED", Severity::warning, "a feature in use will be removed"},
    {"INVALID_LEVEL", Severity::warning, "an unknown response level was asked for"},
    {"LONE_SURROGATE", Severity::info, "a string of the answer is not valid Unicode"},
    {"META_DROPPED", Severity::warning, "a member of meta that the tool added was left out"},
    {"NOT_REMEMBERED", Severity::warning,
     "a negotiation without a session: state it with each call"},
    {"PARTIAL_FAILURE", Severity::warning, "some items failed, others succeeded"},
    {"POSSIBLE_FAILURE", Severity::warning, "a success whose text or members read like a failure"},
    {"QUERY_NOTE", Severity::info, "how a query was read, or why it found nothing"},
    {"RATE_LIMIT_APPROACHING", Severity::warning, "few calls are left in this period"},
    {"REQUEST_ID_REPLACED", Severity::info, "the caller's request id is too long to be kept"},
    {"SCHEMA_MISMATCH", Severity::warning, "the payload does not match the announced schema"},
    {"SCHEMA_REPAIRED", Severity::info, "missing structured content was taken from the text"},
    {"SECRET_REDACTED", Severity::warning, "a credential in the answer was replaced"},
    {"SESSION_BUDGET_APPROACHING", Severity::warning, "few tokens are left for this session"},
    {"SESSION_BUDGET_EXCEEDED", Severity::warning, "the tokens of this session are used up"},
    {"STALE_CACHE", Severity::warning, "the answer is older than the allowed freshness"},
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

Retry retry_of(ErrorType type) { return kRetries.at(static_cast<std::size_t>(type)); }

const KindTraits& traits(ErrorKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::string remediation_for(const model::Failure& failure) {
  const KindTraits& kind = traits(failure.kind);
  if (!failure.retry_after || kind.retry == Retry::no) return std::string(kind.remediation);
  const std::string& wait = failure.retry_after->text;
  return fmt::format("Wait {} second{} before the next call.", wait, wait == "1" ? "" : "s");
}

std::span<const CodeEntry> known_codes() {
  static const std::vector<CodeEntry> codes = sorted_codes();
  return codes;
}

const CodeEntry* find_code(std::string_view code) {
  const std::span<const CodeEntry> codes = known_codes();
  const auto at = std::ranges::lower_bound(codes, code, {}, &CodeEntry::code);
  return at != codes.end() && at->code == code ? &*at : nullptr;
}

ErrorKind kind_of(std::string_view code, std::optional<ErrorType> type) {
  if (const CodeEntry* const entry = find_code(code)) return entry->kind;
  if (type.has_value()) return kUsualKinds.at(static_cast<std::size_t>(*type));
  return says_not_found(code) ? ErrorKind::missing : ErrorKind::tool_error;
}

ErrorType type_of(std::string_view code) {
  if (const CodeEntry* const entry = find_code(code)) return entry->type;
  return says_not_found(code) ? ErrorType::not_found : ErrorType::internal;
}

std::optional<ErrorType> read_type(std::string_view text) {
  // The response contracts also define "ai_provider", a failed AI service.
  if (text == "ai_provider") return ErrorType::unavailable;
  return model::from_name<ErrorType>(text);
}

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
