// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/request_reader.h"

#include "enfold/net/http/detail/server_core.h"

#include <utility>

namespace enfold::net::detail {
namespace {

constexpr HttpFault kBodyTooLong{413, "the body is longer than this server reads"};

}  // namespace

RequestReader::Step RequestReader::read(std::string_view bytes) {
  return is_inside_body() ? read_body(bytes) : read_head(bytes);
}

RequestReader::Step RequestReader::read_head(std::string_view bytes) {
  if (!head_started_) {
    if (const std::size_t empty = count_leading_line_ends(bytes); empty > 0) return {.used = empty};
    if (bytes == "\r") return {};
  }
  // Nearly always the whole head is there at once. If it was not, its end is looked for first.
  const HttpLimits& limits = core_.limits().message;
  HttpRequest& request = core_.scratch_request();
  HeadOutcome outcome;
  if (!head_started_) outcome = parse_request_head(bytes, limits, request.head);
  if (outcome.head_bytes == 0 && !outcome.fault) {
    outcome = scanner_.find_end(bytes, limits);
    if (outcome.head_bytes > 0)
      outcome = parse_request_head(bytes.substr(0, outcome.head_bytes), limits, request.head);
  }
  if (outcome.fault) return {.fault = outcome.fault};
  if (outcome.head_bytes == 0) return {.made_progress = !std::exchange(head_started_, true)};
  scanner_.restart();
  head_started_ = false;
  return start_request(request, bytes.substr(outcome.head_bytes),
                       {.used = outcome.head_bytes, .head = &request.head});
}

RequestReader::Step RequestReader::start_request(HttpRequest& request, std::string_view rest,
                                                 Step step) {
  const HttpHead& head = request.head;
  const bool has_length = head.body_kind() == BodyKind::length;
  step.fault = core_.check(head);
  if (step.fault) return step;
  if (has_length && head.content_length() > core_.limits().message.max_body_bytes) {
    step.fault = kBodyTooLong;
    return step;
  }
  step.answer = core_.check_head(head);
  if (step.answer) return step;
  if (head.body_kind() == BodyKind::none) {
    request.body.clear();
    step.request = &request;
    return step;
  }
  if (has_length && rest.size() >= head.content_length()) {
    const auto size = static_cast<std::size_t>(head.content_length());
    request.body.assign(rest.substr(0, size));
    step.request = &request;
    step.used += size;
    return step;
  }
  decoder_ = BodyDecoder(head);
  partial_ = std::make_unique<HttpRequest>();
  partial_->head = std::move(request.head);
  progress_ = 0;
  step.head = &partial_->head;
  step.wants_continue = partial_->head.expects_continue() && rest.empty();
  step.made_progress = true;
  return step;
}

RequestReader::Step RequestReader::read_body(std::string_view bytes) {
  Step step;
  while (step.used < bytes.size()) {
    const BodyDecoder::Step piece = decoder_.next(bytes.substr(step.used));
    step.used += piece.used;
    step.fault = piece.fault ? piece.fault : append(piece.data);
    if (step.fault) return step;
    if (!decoder_.is_done()) continue;
    core_.stats().unfinished_body_bytes -= partial_->body.size();
    step.owned = std::move(partial_);
    step.request = step.owned.get();
    return step;
  }
  progress_ += step.used;
  if (progress_ >= core_.limits().least_progress_bytes) {
    progress_ = 0;
    step.made_progress = true;
  }
  return step;
}

std::optional<HttpFault> RequestReader::append(std::string_view data) {
  const ServerLimits& limits = core_.limits();
  if (data.size() > limits.message.max_body_bytes - partial_->body.size()) return kBodyTooLong;
  if (core_.stats().unfinished_body_bytes + data.size() > limits.max_unfinished_body_bytes) {
    return HttpFault{503, "too many large requests are on their way at once; try again later"};
  }
  core_.stats().unfinished_body_bytes += data.size();
  partial_->body.append(data);
  return std::nullopt;
}

void RequestReader::discard() {
  if (!partial_) return;
  core_.stats().unfinished_body_bytes -= partial_->body.size();
  partial_.reset();
}

}  // namespace enfold::net::detail
