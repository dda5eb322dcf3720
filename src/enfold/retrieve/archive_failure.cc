// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/retrieve.h"

namespace enfold::retrieve {
namespace {

constexpr int kRetryAfter = 5;  // seconds that the client is told to wait

// The reference comes from the caller, so a message repeats only its beginning.
std::string_view shown_reference(std::string_view reference) {
  constexpr std::size_t longest = 80;
  return utf8::prefix(reference, longest);
}

}  // namespace

// The archive's error message is not passed on: it may name files and hosts.
model::Response archive_failure(const Error& error, std::string_view reference) {
  if (error.code == ErrorCode::not_found) return handle_not_found(reference);
  if (error.code != ErrorCode::internal) {
    return contract::make_failure(contract::failures::Unavailable{
        .message = "The archive cannot be read at the moment", .retry_after = kRetryAfter});
  }
  contract::failures::Internal given{.message = "The archived answer is damaged"};
  given.extra.remediation = {"Call the original tool again."};
  model::Response response = contract::make_failure(given);
  json::Writer context;
  context.begin_object().member("handle", shown_reference(reference)).end_object();
  response.warnings.push_back(contract::make_warning(
      "ARCHIVE_READ_CORRUPT", "The archived answer no longer matches its hash",
      std::move(context).finish_value()));
  return response;
}

model::Response handle_not_found(std::string_view handle) {
  contract::failures::NotFound given;
  given.resource_type = "Archived answer";
  given.resource_id = std::string(shown_reference(handle));
  given.extra.remediation = {
      "Archived answers are kept for a limited time and open only for the caller they were made "
      "for. Call the original tool again to get a new answer and a new handle."};
  return contract::make_failure(given);
}

}  // namespace enfold::retrieve
