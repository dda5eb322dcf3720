// SPDX-License-Identifier: Apache-2.0
// Names of members and tools as words: `next_page_token`, `nextPageToken` and `next-page-token` are
// the same three words.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract::detail {

/// Letters and digits in lower case: "nextpagetoken".
[[nodiscard]] std::string plain(std::string_view name);

/// The words of a name in lower case: next, page, token. At least one; the last may be empty.
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

/// Whether `list`, words separated by spaces, has this word.
[[nodiscard]] bool has_word(std::string_view list, std::string_view word);

/// The lowest position in `text` at which one of `phrases`, separated by '|', begins; npos: none
/// occurs. A '*' in a phrase matches up to 60 bytes: "token*expired".
[[nodiscard]] std::size_t first_of(std::string_view text, std::string_view phrases);

/// Whether one of `phrases`, separated by '|', occurs in `text`.
[[nodiscard]] bool holds_any(std::string_view text, std::string_view phrases);

/// What the first verb in a tool's name says about its answer: get_deleted_messages is no action.
enum class Verb {
  none,    ///< no verb, or one that says nothing (get, fetch, show)
  list,    ///< the answer is a list
  search,  ///< the answer is a list if it has one
  run,     ///< run, execute, call, sql: the answer may be anything
  action,  ///< create, update, delete, send …: the answer reports what was done
};
[[nodiscard]] Verb verb_of(std::string_view tool);

}  // namespace enfold::contract::detail
