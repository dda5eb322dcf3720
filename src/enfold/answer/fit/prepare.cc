// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/prepare.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/fit/reduce.h"
#include "enfold/answer/stored/media_type.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"

#include <fmt/core.h>

namespace enfold::answer {
namespace {

Status check_settings(const FitSettings& settings) {
  if (!contract::is_envelope(settings.shape.contract)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a contract with room for what was left out, found {}",
                            contract::name(settings.shape.contract)),
                "contract", "choose an envelope such as response-v2");
  }
  return budget::check(settings.budget);
}

model::Warning write_failure(const Error& error) {
  json::Writer context;
  context.begin_object().member("reason", mapping(error.code).name).end_object();
  return contract::make_warning("ARCHIVE_WRITE_FAILED",
                                "The original could not be stored, so nothing was left out",
                                std::move(context).finish_value());
}

// What the store says stays with the operator: it may name files and hosts.
Result<FittedAnswer> finish_unstored(Prepared prepared, const Error& error,
                                     const FitSettings& settings) {
  FittedAnswer finished{.answer = std::move(prepared.answer)};
  model::Response& response = finished.answer.reading.response;
  if (settings.unstored == Unstored::fail) {
    model::Response failed = contract::make_failure(contract::failures::Unavailable{
        .message = "The answer is larger than the budget and could not be stored"});
    failed.tool = response.tool;
    failed.request_id = response.request_id;
    failed.telemetry = response.telemetry;
    response = std::move(failed);
    finished.answer.reading.origin = {};
  }
  response.warnings.push_back(write_failure(error));
  const Result<budget::Size> size = size_of_answer(finished.answer, settings);
  if (!size) return tl::unexpected(size.error());
  finished.size = *size;
  if (response.payload) finished.fitted.payload = *response.payload;
  return finished;
}

}  // namespace

void use_profile(FitSettings& settings, const token::Profile& profile) {
  settings.tokenizer = profile.tokenizer;
  settings.media = profile.media;
  settings.budget = {profile.max_tokens, profile.max_characters, profile.max_lines};
}

Result<Prepared> prepare(ReadAnswer answer, const FitSettings& settings) {
  if (Status status = check_settings(settings); !status) {
    return tl::unexpected(status.error());
  }
  Prepared prepared{.answer = std::move(answer)};
  const Result<SizeCheck> verdict = check_size(prepared.answer, settings);
  if (!verdict) return tl::unexpected(verdict.error());
  prepared.fits = verdict->fits;
  prepared.size = verdict->size;
  prepared.limit = verdict->limit;
  // Where only the payload is cut it was stored before, and this answer is a part of it.
  if (!prepared.fits && !settings.only_payload) make_document(prepared.answer);
  if (!prepared.fits) prepared.original = Original(prepared.answer);
  const bool own = prepared.answer.is_own;
  prepared.media_type = media_type({prepared.answer.from, own});
  return prepared;
}

Result<FittedAnswer> finish(Prepared prepared, const Result<Receipt>& stored,
                            const FitSettings& settings) {
  if (prepared.fits) {
    FittedAnswer finished{.answer = std::move(prepared.answer), .size = prepared.size};
    const auto& payload = finished.answer.reading.response.payload;
    if (payload) finished.fitted.payload = *payload;
    return finished;
  }
  if (!stored && settings.unstored == Unstored::cut) {
    return reduce(std::move(prepared.answer), {}, prepared.limit, settings);
  }
  if (!stored) return finish_unstored(std::move(prepared), stored.error(), settings);
  return reduce(std::move(prepared.answer), *stored, prepared.limit, settings);
}

}  // namespace enfold::answer
