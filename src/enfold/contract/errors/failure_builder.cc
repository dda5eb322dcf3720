// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/failure_builder.h"

#include "enfold/contract/errors/error_codes.h"

#include <fmt/core.h>

namespace enfold::contract::detail {

std::optional<json::Value> with_member(const std::optional<json::Value>& details,
                                       std::string_view key, std::string_view text) {
  if (text.empty()) return details;
  if (details && (!details->view().is_object() || details->view().find(key))) return details;
  json::Writer writer;
  writer.begin_object();
  if (details) {
    for (const json::Member& member : details->view().members()) {
      writer.key(member.key).value(member.value);
    }
  }
  writer.member(key, text).end_object();
  return std::move(writer).finish_value();
}

model::Response build_failure(Cause cause, const failures::Extra& extra,
                              std::optional<json::Value> payload) {
  const bool known = find_code(cause.code) != nullptr;
  model::Failure failure{
      .kind = kind_of(cause.code, cause.type),
      .code = std::string(cause.code),
      .type = known ? type_of(cause.code) : cause.type.value_or(type_of(cause.code)),
      .message = std::move(cause.message),
      .remediation = extra.remediation,
      .details = extra.details};
  if (failure.remediation.empty() && !cause.remediation.empty()) {
    failure.remediation.push_back(std::move(cause.remediation));
  }
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = std::move(failure);
  response.payload = std::move(payload);
  response.request_id = extra.request_id;
  return response;
}

std::string or_else(const std::string& text, std::string_view standard) {
  return text.empty() ? std::string(standard) : text;
}

std::string because(const std::string& reason) {
  return reason.empty() ? std::string() : ": " + reason;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

std::string seconds(std::int64_t count) {
  return fmt::format("{} second{}", count, count == 1 ? "" : "s");
}

}  // namespace enfold::contract::detail
