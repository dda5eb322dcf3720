// SPDX-License-Identifier: Apache-2.0
// Helpers for building the predefined failures.
#pragma once

#include "enfold/contract/errors/failures.h"
#include "enfold/json/write.h"

namespace enfold::contract::detail {

// Writes members; the arguments are a key and a value in turn. A value that is an empty text, an
// empty list or nullopt is left out with its key.
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

/// The object that write_pairs writes for keys and values; nullopt if all of them are left out.
template <class... Pairs>
[[nodiscard]] std::optional<json::Value> members(const Pairs&... pairs) {
  json::Writer writer;
  write_pairs(writer.begin_object(), pairs...);
  json::Value object = std::move(writer.end_object()).finish_value();
  return object->size() != 0 ? std::optional(std::move(object)) : std::nullopt;
}

/// `extra` with these members added to its details, but those whose key the details have. Details
/// that are no object stay as they are.
[[nodiscard]] failures::Extra with_details(failures::Extra extra,
                                           const std::optional<json::Value>& members);

/// As with_details, with one member; an empty `text` is none.
[[nodiscard]] failures::Extra with_detail(failures::Extra extra, std::string_view key,
                                          std::string_view text);

/// A failed response. `extra.remediation` replaces `remediation`; if both are empty, that of the
/// kind of `code` is used. `type` is used only for a code that error_codes.h does not know.
[[nodiscard]] model::Response build_failure(const failures::Extra& extra, std::string_view code,
                                            std::string message, std::string remediation,
                                            std::optional<json::Value> payload = std::nullopt,
                                            std::optional<model::ErrorType> type = std::nullopt);

/// `text`, or `standard` if it is empty.
[[nodiscard]] std::string or_else(const std::string& text, std::string_view standard);

/// ": reason", or an empty text if there is no reason.
[[nodiscard]] std::string because(const std::string& reason);

/// "a, b, c and 4 more": the first `most` names, and how many follow.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most);

/// "1 second", "45 seconds".
[[nodiscard]] std::string seconds(std::int64_t count);

}  // namespace enfold::contract::detail
