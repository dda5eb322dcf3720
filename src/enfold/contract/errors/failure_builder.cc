// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/failure_builder.h"

#include "enfold/contract/errors/error_codes.h"

#include <fmt/core.h>

namespace enfold::contract::detail {

failures::Extra with_detail(failures::Extra extra, std::string_view key, std::string_view text) {
  std::optional<json::Value>& details = extra.details;
  const bool occupied = details && (!details->view().is_object() || details->view().find(key));
  if (text.empty() || occupied) return extra;
  json::Writer writer;
  writer.begin_object();
  if (details) json::write_members(writer, details->view());
  details = std::move(writer.member(key, text).end_object()).finish_value();
  return extra;
}

model::Response build_failure(const failures::Extra& extra, std::string_view code,
                              std::string message, std::string remediation,
                              std::optional<json::Value> payload,
                              std::optional<model::ErrorType> type) {
  const bool known = find_code(code) != nullptr;
  model::Failure failure{.kind = kind_of(code, type),
                         .code = std::string(code),
                         .type = known ? type_of(code) : type.value_or(type_of(code)),
                         .message = std::move(message),
                         .remediation = extra.remediation,
                         .details = extra.details};
  if (failure.remediation.empty() && !remediation.empty()) {
    failure.remediation.push_back(std::move(remediation));
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
