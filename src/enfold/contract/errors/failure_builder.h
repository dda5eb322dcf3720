// SPDX-License-Identifier: Apache-2.0
// What the ready-made failures are put together from.
#pragma once

#include "enfold/contract/errors/failures.h"
#include "enfold/json/write.h"

#include <cstddef>
#include <string_view>

namespace enfold::contract::detail {

/// The members that a cause puts beside the error fields; without any there is no payload.
class FailureMembers {
 public:
  FailureMembers& text(std::string_view key, const std::string& value) {
    if (!value.empty()) begun().member(key, value);
    return *this;
  }
  FailureMembers& number(std::string_view key, std::int64_t value) {
    begun().member(key, value);
    return *this;
  }
  FailureMembers& number(std::string_view key, std::optional<std::int64_t> value) {
    return value ? number(key, *value) : *this;
  }
  FailureMembers& texts(std::string_view key, const std::vector<std::string>& values) {
    if (values.empty()) return *this;
    begun().key(key).begin_array();
    for (const std::string& value : values) writer_.string(value);
    writer_.end_array();
    return *this;
  }
  std::optional<json::Value> finish() {
    if (!any_) return std::nullopt;
    return std::move(writer_.end_object()).finish_value();
  }

 private:
  json::Writer& begun() {
    if (!any_) writer_.begin_object();
    any_ = true;
    return writer_;
  }
  json::Writer writer_;
  bool any_ = false;
};

/// `details` with one member more, unless it already has one of that name or is no object.
[[nodiscard]] std::optional<json::Value> with_member(const std::optional<json::Value>& details,
                                                     std::string_view key, std::string_view text);

struct Cause {
  std::string_view code;
  std::string message;
  std::string remediation;
  std::optional<model::ErrorType> type = std::nullopt;  ///< of a code that the registry lacks
};

[[nodiscard]] model::Response build_failure(Cause cause, const failures::Extra& extra,
                                            std::optional<json::Value> payload = std::nullopt);

[[nodiscard]] std::string or_else(const std::string& text, std::string_view standard);

/// ": reason", or nothing.
[[nodiscard]] std::string because(const std::string& reason);

/// "a, b, c and 4 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most);

/// "1 second", "45 seconds".
[[nodiscard]] std::string seconds(std::int64_t count);

}  // namespace enfold::contract::detail
