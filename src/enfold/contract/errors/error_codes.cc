// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace enfold::contract {
namespace {

using model::ErrorKind;
using model::ErrorType;

constexpr std::array<TypeTraits, 9> kTypes{{
    {ErrorType::validation, 400, Retry::no, "fix input"},
    {ErrorType::authentication, 401, Retry::no, "re-authenticate"},
    {ErrorType::authorization, 403, Retry::no, "ask for access"},
    {ErrorType::not_found, 404, Retry::no, "check the identifier"},
    {ErrorType::conflict, 409, Retry::after_check, "check state"},
    {ErrorType::rate_limit, 429, Retry::after_delay, "wait, then retry"},
    {ErrorType::feature_flag, 403, Retry::no, "check the flag"},
    {ErrorType::internal, 500, Retry::with_backoff, "retry with backoff"},
    {ErrorType::unavailable, 503, Retry::with_backoff, "retry with backoff"},
}};

constexpr std::array<KindTraits, 16> kKinds{{
    {ErrorKind::bad_input, ErrorType::validation, "VALIDATION_ERROR", "invalid_argument",
     "user_input", -32602},
    {ErrorKind::bad_path, ErrorType::validation, "VALIDATION_ERROR", "invalid_path", "user_input",
     -32602},
    {ErrorKind::unauthenticated, ErrorType::authentication, "UNAUTHORIZED", "forbidden",
     "authentication", -32600},
    {ErrorKind::not_allowed, ErrorType::authorization, "FORBIDDEN", "forbidden", "authentication",
     -32600},
    {ErrorKind::missing, ErrorType::not_found, "NOT_FOUND", "not_found", "user_input", -32601},
    {ErrorKind::conflict, ErrorType::conflict, "CONFLICT", "invalid_argument", "logic", -32603},
    {ErrorKind::throttled, ErrorType::rate_limit, "RATE_LIMIT_EXCEEDED", "resource_exhausted",
     "temporary", -32603},
    {ErrorKind::flag_off, ErrorType::feature_flag, "FEATURE_DISABLED", "not_implemented", "logic",
     -32601},
    {ErrorKind::tier_too_low, ErrorType::feature_flag, "FEATURE_DISABLED", "upgrade_required",
     "logic", -32601},
    {ErrorKind::not_built, ErrorType::feature_flag, "NOT_IMPLEMENTED", "not_implemented", "logic",
     -32601},
    {ErrorKind::timeout, ErrorType::unavailable, "TIMEOUT", "timeout", "network", -32001},
    {ErrorKind::dependency_down, ErrorType::unavailable, "UNAVAILABLE", "dependency_unavailable",
     "dependency", -32000},
    {ErrorKind::too_large, ErrorType::validation, "PAYLOAD_TOO_LARGE", "too_large", "resource",
     -32600},
    {ErrorKind::exhausted, ErrorType::unavailable, "RESOURCE_BUSY", "resource_exhausted",
     "resource", -32603},
    {ErrorKind::correctable, ErrorType::validation, "VALIDATION_ERROR", "correction_needed",
     "user_input", -32602},
    {ErrorKind::bug, ErrorType::internal, "INTERNAL_ERROR", "internal_error", "system", -32603},
}};

// Sorted by bytes: numbers, upper case (response-v2, RPC status, POSIX), lower case (scalpel-v1).
constexpr auto kCodes = std::to_array<CodeEntry>({
    {"-32000", ErrorType::unavailable, ErrorKind::dependency_down},
    {"-32001", ErrorType::unavailable, ErrorKind::timeout},
    {"-32002", ErrorType::not_found, ErrorKind::missing},
    {"-32600", ErrorType::validation, ErrorKind::bad_input},
    {"-32601", ErrorType::not_found, ErrorKind::missing},
    {"-32602", ErrorType::validation, ErrorKind::bad_input},
    {"-32603", ErrorType::internal, ErrorKind::bug},
    {"-32700", ErrorType::validation, ErrorKind::bad_input},
    {"400", ErrorType::validation, ErrorKind::bad_input},
    {"401", ErrorType::authentication, ErrorKind::unauthenticated},
    {"402", ErrorType::feature_flag, ErrorKind::tier_too_low},
    {"403", ErrorType::authorization, ErrorKind::not_allowed},
    {"404", ErrorType::not_found, ErrorKind::missing},
    {"405", ErrorType::feature_flag, ErrorKind::not_built},
    {"406", ErrorType::validation, ErrorKind::bad_input},
    {"408", ErrorType::unavailable, ErrorKind::timeout},
    {"409", ErrorType::conflict, ErrorKind::conflict},
    {"410", ErrorType::not_found, ErrorKind::missing},
    {"412", ErrorType::conflict, ErrorKind::conflict},
    {"413", ErrorType::validation, ErrorKind::too_large},
    {"414", ErrorType::validation, ErrorKind::too_large},
    {"415", ErrorType::validation, ErrorKind::bad_input},
    {"422", ErrorType::validation, ErrorKind::bad_input},
    {"423", ErrorType::conflict, ErrorKind::conflict},
    {"429", ErrorType::rate_limit, ErrorKind::throttled},
    {"500", ErrorType::internal, ErrorKind::bug},
    {"501", ErrorType::feature_flag, ErrorKind::not_built},
    {"502", ErrorType::unavailable, ErrorKind::dependency_down},
    {"503", ErrorType::unavailable, ErrorKind::dependency_down},
    {"504", ErrorType::unavailable, ErrorKind::timeout},
    {"507", ErrorType::unavailable, ErrorKind::exhausted},
    {"ABORTED", ErrorType::conflict, ErrorKind::conflict},
    {"ACCESS_DENIED", ErrorType::authorization, ErrorKind::not_allowed},
    {"AI_CACHE_STALE", ErrorType::unavailable, ErrorKind::dependency_down},
    {"AI_CONSULTATION_ERROR", ErrorType::internal, ErrorKind::bug},
    {"AI_CONTEXT_TOO_LARGE", ErrorType::unavailable, ErrorKind::too_large},
    {"AI_NOT_AVAILABLE", ErrorType::unavailable, ErrorKind::dependency_down},
    {"AI_NO_PROVIDER", ErrorType::unavailable, ErrorKind::dependency_down},
    {"AI_PROMPT_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"AI_PROVIDER_ERROR", ErrorType::unavailable, ErrorKind::dependency_down},
    {"AI_PROVIDER_TIMEOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"ALREADY_ACTIVE", ErrorType::conflict, ErrorKind::conflict},
    {"ALREADY_COMPLETED", ErrorType::conflict, ErrorKind::conflict},
    {"ALREADY_EXISTS", ErrorType::conflict, ErrorKind::conflict},
    {"AMBIGUOUS_ACTIVE_SESSION", ErrorType::conflict, ErrorKind::conflict},
    {"AUTHORIZATION", ErrorType::authorization, ErrorKind::not_allowed},
    {"AUTONOMY_WRITE_LOCK_ACTIVE", ErrorType::conflict, ErrorKind::conflict},
    {"AUTO_MODE_SPEC_REQUIRED", ErrorType::validation, ErrorKind::bad_input},
    {"BACKUP_CORRUPTED", ErrorType::internal, ErrorKind::bug},
    {"BACKUP_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"BLOCKED_TASK", ErrorType::conflict, ErrorKind::conflict},
    {"CIRCULAR_DEPENDENCY", ErrorType::conflict, ErrorKind::conflict},
    {"COMPARISON_FAILED", ErrorType::internal, ErrorKind::bug},
    {"CONFLICT", ErrorType::conflict, ErrorKind::conflict},
    {"CONSULT_FAILED", ErrorType::internal, ErrorKind::bug},
    {"DATABASE_CONNECTION_ERROR", ErrorType::unavailable, ErrorKind::dependency_down},
    {"DATA_LOSS", ErrorType::internal, ErrorKind::bug},
    {"DEADLINE_EXCEEDED", ErrorType::unavailable, ErrorKind::timeout},
    {"DEPENDENCY_ERROR", ErrorType::conflict, ErrorKind::conflict},
    {"DEPENDENCY_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"DUPLICATE_ENTRY", ErrorType::conflict, ErrorKind::conflict},
    {"E2BIG", ErrorType::validation, ErrorKind::too_large},
    {"EACCES", ErrorType::authorization, ErrorKind::not_allowed},
    {"EADDRINUSE", ErrorType::conflict, ErrorKind::conflict},
    {"EAGAIN", ErrorType::unavailable, ErrorKind::exhausted},
    {"EAI_AGAIN", ErrorType::unavailable, ErrorKind::dependency_down},
    {"EBUSY", ErrorType::unavailable, ErrorKind::exhausted},
    {"ECONNABORTED", ErrorType::unavailable, ErrorKind::dependency_down},
    {"ECONNREFUSED", ErrorType::unavailable, ErrorKind::dependency_down},
    {"ECONNRESET", ErrorType::unavailable, ErrorKind::dependency_down},
    {"EDQUOT", ErrorType::unavailable, ErrorKind::exhausted},
    {"EEXIST", ErrorType::conflict, ErrorKind::conflict},
    {"EFBIG", ErrorType::validation, ErrorKind::too_large},
    {"EHOSTUNREACH", ErrorType::unavailable, ErrorKind::dependency_down},
    {"EINVAL", ErrorType::validation, ErrorKind::bad_input},
    {"EIO", ErrorType::internal, ErrorKind::bug},
    {"EISDIR", ErrorType::validation, ErrorKind::bad_path},
    {"ELOOP", ErrorType::validation, ErrorKind::bad_path},
    {"EMFILE", ErrorType::unavailable, ErrorKind::exhausted},
    {"EMSGSIZE", ErrorType::validation, ErrorKind::too_large},
    {"ENAMETOOLONG", ErrorType::validation, ErrorKind::bad_path},
    {"ENETUNREACH", ErrorType::unavailable, ErrorKind::dependency_down},
    {"ENFILE", ErrorType::unavailable, ErrorKind::exhausted},
    {"ENOENT", ErrorType::not_found, ErrorKind::missing},
    {"ENOMEM", ErrorType::unavailable, ErrorKind::exhausted},
    {"ENOSPC", ErrorType::unavailable, ErrorKind::exhausted},
    {"ENOSYS", ErrorType::feature_flag, ErrorKind::not_built},
    {"ENOTCONN", ErrorType::unavailable, ErrorKind::dependency_down},
    {"ENOTDIR", ErrorType::validation, ErrorKind::bad_path},
    {"ENOTEMPTY", ErrorType::conflict, ErrorKind::conflict},
    {"ENOTFOUND", ErrorType::unavailable, ErrorKind::dependency_down},
    {"ENOTSUP", ErrorType::feature_flag, ErrorKind::not_built},
    {"EOPNOTSUPP", ErrorType::feature_flag, ErrorKind::not_built},
    {"EPERM", ErrorType::authorization, ErrorKind::not_allowed},
    {"EPIPE", ErrorType::unavailable, ErrorKind::dependency_down},
    {"EROFS", ErrorType::authorization, ErrorKind::not_allowed},
    {"ESOCKETTIMEDOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"ETIMEDOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"FAILED_PRECONDITION", ErrorType::conflict, ErrorKind::conflict},
    {"FEATURE_DISABLED", ErrorType::feature_flag, ErrorKind::flag_off},
    {"FILE_WRITE_ERROR", ErrorType::internal, ErrorKind::bug},
    {"FORBIDDEN", ErrorType::authorization, ErrorKind::not_allowed},
    {"HEARTBEAT_STALE", ErrorType::conflict, ErrorKind::conflict},
    {"INCOMPLETE_DEPS", ErrorType::conflict, ErrorKind::conflict},
    {"INCOMPLETE_TASKS", ErrorType::conflict, ErrorKind::conflict},
    {"INTERNAL", ErrorType::internal, ErrorKind::bug},
    {"INTERNAL_ERROR", ErrorType::internal, ErrorKind::bug},
    {"INVALID_ACTION", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_ARGUMENT", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_CURSOR", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_FORMAT", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_GATE_ACK", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_GATE_EVIDENCE", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_LIFECYCLE_TRANSITION", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_OPTIONS", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_PARENT", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_POSITION", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_REGEX_PATTERN", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_SCOPE", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_STATE", ErrorType::conflict, ErrorKind::conflict},
    {"INVALID_STATE_TRANSITION", ErrorType::conflict, ErrorKind::conflict},
    {"INVALID_STATUS", ErrorType::validation, ErrorKind::bad_input},
    {"INVALID_TRANSITION", ErrorType::validation, ErrorKind::bad_input},
    {"JOURNAL_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"LOCK_TIMEOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"MANUAL_GATE_ACK_REQUIRED", ErrorType::conflict, ErrorKind::conflict},
    {"MEMORY_MANAGER_NOT_INITIALIZED", ErrorType::unavailable, ErrorKind::dependency_down},
    {"MEMORY_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"MISSING_REQUIRED", ErrorType::validation, ErrorKind::bad_input},
    {"NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"NOT_IMPLEMENTED", ErrorType::feature_flag, ErrorKind::not_built},
    {"NO_ACTIVE_SESSION", ErrorType::not_found, ErrorKind::missing},
    {"NO_MATCHES_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"OPERATION_FAILED", ErrorType::internal, ErrorKind::bug},
    {"OUT_OF_RANGE", ErrorType::validation, ErrorKind::bad_input},
    {"PATTERN_TOO_BROAD", ErrorType::validation, ErrorKind::bad_input},
    {"PAYLOAD_TOO_LARGE", ErrorType::validation, ErrorKind::too_large},
    {"PERMISSION_DENIED", ErrorType::authorization, ErrorKind::not_allowed},
    {"PHASE_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"PROVIDER_ERROR", ErrorType::internal, ErrorKind::bug},
    {"PROVIDER_TIMEOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"PYTEST_NOT_FOUND", ErrorType::internal, ErrorKind::bug},
    {"RATE_LIMITED", ErrorType::rate_limit, ErrorKind::throttled},
    {"RATE_LIMIT_EXCEEDED", ErrorType::rate_limit, ErrorKind::throttled},
    {"REBASE_BACKUP_MISSING", ErrorType::not_found, ErrorKind::missing},
    {"REBASE_COMPLETED_TASKS_REMOVED", ErrorType::conflict, ErrorKind::conflict},
    {"RESOURCE_BUSY", ErrorType::unavailable, ErrorKind::exhausted},
    {"RESOURCE_EXHAUSTED", ErrorType::unavailable, ErrorKind::exhausted},
    {"RESOURCE_LIMIT_ERROR", ErrorType::validation, ErrorKind::too_large},
    {"ROLLBACK_FAILED", ErrorType::internal, ErrorKind::bug},
    {"SELF_REFERENCE", ErrorType::validation, ErrorKind::bad_input},
    {"SESSION_UNRECOVERABLE", ErrorType::internal, ErrorKind::bug},
    {"SPEC_LOAD_ERROR", ErrorType::internal, ErrorKind::bug},
    {"SPEC_LOCKED", ErrorType::conflict, ErrorKind::conflict},
    {"SPEC_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"SPEC_REBASE_REQUIRED", ErrorType::conflict, ErrorKind::conflict},
    {"SPEC_SAVE_ERROR", ErrorType::internal, ErrorKind::bug},
    {"SPEC_SESSION_EXISTS", ErrorType::conflict, ErrorKind::conflict},
    {"STEP_MISMATCH", ErrorType::conflict, ErrorKind::conflict},
    {"STEP_RESULT_REQUIRED", ErrorType::validation, ErrorKind::bad_input},
    {"TASK_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"TEMPLATE_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"TEST_DISCOVERY_FAILED", ErrorType::internal, ErrorKind::bug},
    {"TEST_FAILED", ErrorType::internal, ErrorKind::bug},
    {"TIMEOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"UNAUTHENTICATED", ErrorType::authentication, ErrorKind::unauthenticated},
    {"UNAUTHORIZED", ErrorType::authentication, ErrorKind::unauthenticated},
    {"UNAVAILABLE", ErrorType::unavailable, ErrorKind::dependency_down},
    {"UNEXPECTED_ERROR", ErrorType::internal, ErrorKind::bug},
    {"UNIMPLEMENTED", ErrorType::feature_flag, ErrorKind::not_built},
    {"UNKNOWN", ErrorType::internal, ErrorKind::bug},
    {"UPSTREAM_PROTOCOL_ERROR", ErrorType::unavailable, ErrorKind::dependency_down},
    {"UPSTREAM_TIMEOUT", ErrorType::unavailable, ErrorKind::timeout},
    {"UPSTREAM_UNAVAILABLE", ErrorType::unavailable, ErrorKind::dependency_down},
    {"VALIDATION_ERROR", ErrorType::validation, ErrorKind::bad_input},
    {"VERSION_CONFLICT", ErrorType::conflict, ErrorKind::conflict},
    {"WORKSPACE_NOT_FOUND", ErrorType::not_found, ErrorKind::missing},
    {"correction_needed", ErrorType::validation, ErrorKind::correctable},
    {"dependency_unavailable", ErrorType::unavailable, ErrorKind::dependency_down},
    {"forbidden", ErrorType::authorization, ErrorKind::not_allowed},
    {"internal_error", ErrorType::internal, ErrorKind::bug},
    {"invalid_argument", ErrorType::validation, ErrorKind::bad_input},
    {"invalid_path", ErrorType::validation, ErrorKind::bad_path},
    {"not_found", ErrorType::not_found, ErrorKind::missing},
    {"not_implemented", ErrorType::feature_flag, ErrorKind::not_built},
    {"resource_exhausted", ErrorType::unavailable, ErrorKind::exhausted},
    {"timeout", ErrorType::unavailable, ErrorKind::timeout},
    {"too_large", ErrorType::validation, ErrorKind::too_large},
    {"upgrade_required", ErrorType::feature_flag, ErrorKind::tier_too_low},
});
static_assert(std::ranges::adjacent_find(kCodes, std::ranges::greater_equal{}, &CodeEntry::code) ==
                  kCodes.end(),
              "find_code searches by halves");

ErrorKind usual_kind(ErrorType type) {
  switch (type) {
    case ErrorType::validation: return ErrorKind::bad_input;
    case ErrorType::authentication: return ErrorKind::unauthenticated;
    case ErrorType::authorization: return ErrorKind::not_allowed;
    case ErrorType::not_found: return ErrorKind::missing;
    case ErrorType::conflict: return ErrorKind::conflict;
    case ErrorType::rate_limit: return ErrorKind::throttled;
    case ErrorType::feature_flag: return ErrorKind::flag_off;
    case ErrorType::internal: return ErrorKind::bug;
    case ErrorType::unavailable: return ErrorKind::dependency_down;
  }
  return ErrorKind::bug;
}

// The one family of codes that is known by its ending: USER_NOT_FOUND, REPO_NOT_FOUND …
bool says_not_found(std::string_view code) { return code.ends_with("_NOT_FOUND"); }

}  // namespace

const TypeTraits& traits(ErrorType type) { return kTypes.at(static_cast<std::size_t>(type)); }

const KindTraits& traits(ErrorKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::span<const CodeEntry> known_codes() { return kCodes; }

const CodeEntry* find_code(std::string_view code) {
  const auto* const at = std::ranges::lower_bound(kCodes, code, {}, &CodeEntry::code);
  return at != kCodes.end() && at->code == code ? at : nullptr;
}

ErrorKind kind_of(std::string_view code, std::optional<ErrorType> type) {
  if (const CodeEntry* const entry = find_code(code)) return entry->kind;
  if (type.has_value()) return usual_kind(*type);
  return says_not_found(code) ? ErrorKind::missing : ErrorKind::bug;
}

ErrorType type_of(std::string_view code) {
  if (const CodeEntry* const entry = find_code(code)) return entry->type;
  return says_not_found(code) ? ErrorType::not_found : ErrorType::internal;
}

std::optional<ErrorType> read_type(std::string_view text) {
  if (text == "ai_provider") return ErrorType::unavailable;
  return model::from_name<ErrorType>(text);
}

}  // namespace enfold::contract
