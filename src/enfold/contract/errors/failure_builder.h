// SPDX-License-Identifier: Apache-2.0
// Helpers for building the predefined failures.
#pragma once

#include "enfold/contract/errors/failures.h"
#include "enfold/json/write.h"

namespace enfold::contract::detail {

// Arguments are a key and a value in turn; empty texts and lists, and nullopt, are not written.
inline void write_pairs(json::Writer&) {}

template <class T, class... Rest>
void write_pairs(json::Writer& writer, std::string_view key, const T& value, const Rest&... rest) {
  if constexpr (std::is_same_v<T, std::vector<std::string>> || std::is_same_v<T, std::string>) {
    if (!value.empty()) writer.member(key, value);
  } else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) {
    if (value) writer.member(key, *value);
  } else {
    writer.member(key, value);
  }
  write_pairs(writer, rest...);
}

/// The object {key: value, …} of write_pairs; nullopt if nothing is left.
template <class... Pairs>
[[nodiscard]] std::optional<json::Value> members(const Pairs&... pairs) {
  json::Writer writer;
  write_pairs(writer.begin_object(), pairs...);
  json::Value object = std::move(writer.end_object()).finish_value();
  return object->size() != 0 ? std::optional(std::move(object)) : std::nullopt;
}

/// `extra` with one more member in its details, unless they have it already or are no object, or
/// `text` is empty.
[[nodiscard]] failures::Extra with_detail(failures::Extra extra, std::string_view key,
                                          std::string_view text);

/// `extra.remediation` replaces `remediation`; if both are empty, that of the kind is used. `type`
/// counts only for codes that error_codes.h does not know.
[[nodiscard]] model::Response build_failure(const failures::Extra& extra, std::string_view code,
                                            std::string message, std::string remediation,
                                            std::optional<json::Value> payload = std::nullopt,
                                            std::optional<model::ErrorType> type = std::nullopt);

/// `text`, or `standard` if it is empty.
[[nodiscard]] std::string or_else(const std::string& text, std::string_view standard);

/// ": reason", or an empty text if there is no reason.
[[nodiscard]] std::string because(const std::string& reason);

/// "a, b, c and 4 more": the first `most` names.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most);

/// "1 second", "45 seconds".
[[nodiscard]] std::string seconds(std::int64_t count);

}  // namespace enfold::contract::detail
