// SPDX-License-Identifier: Apache-2.0
// Pages of a list. The request of such a tool derives from PageRequest, and Context::page asks a
// source for the rows of one page:
//   struct Search : server::PageRequest { … };
//   server::Answer<server::Page<Book>> search(const Search& asked, server::Context& context) {
//     return context.page(asked, [&](std::size_t from, std::size_t count) {
//       return shop.search(asked.query, from, count);
//     });
//   }
// If the rows exceed the budget of the call, the answer ends with the last row that fits, and its
// cursor continues there: following the cursors yields each row exactly once.
#pragma once

#include "enfold/server/fields.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace enfold::server {

/// Adds the arguments `cursor` and `limit` to a request, which does not list them itself. A struct
/// with `static constexpr int page_size = 20;` has that many rows on a page unless the call says
/// otherwise.
struct PageRequest {
  std::optional<std::string> cursor{};  ///< of the page before; nullopt: the first page
  std::int64_t limit = 100;  ///< rows on the page, 1 to 1,000; the budget may allow fewer

  /// The declaration of both, which is read beside the fields() of the request.
  static constexpr auto page_fields() {
    return level::fields(
        level::field<&PageRequest::cursor>().describe("The cursor of the page before."),
        level::field<&PageRequest::limit>()
            .describe("Rows on a page, at most.")
            .at_least(1)
            .at_most(1000)
            .defaulted());
  }
};

/// The rows of one page: what a source returns, and the response of a tool that returns nothing
/// else. A source may also return a vector, or a Result.
template <class Row>
struct Page {
  std::vector<Row> items;  ///< Row has fields()
  /// Rows of the whole list, if known; not part of the payload, but of the envelope's pagination.
  std::optional<std::size_t> total{};

  static constexpr auto fields() {
    return level::fields(level::field("items", &Page::items).required());
  }
};

/// A source whose position is the key of the last row and not a number: rows that are added or
/// removed before it move nothing. `find(after, count)` returns the first `count` rows after the
/// key, which is nullopt for the first page; `key` is the member of a row, or of a base of it, that
/// orders the list: a number, text, enum, time, or a type with enfold::As. No two rows may have the
/// same key, because a page that ended between them would lose the second; the call fails if
/// neighbours do.
template <class Holder, class Key, class Find>
struct Keyset {
  Key Holder::* key;  ///< the member that orders the rows
  Find find;          ///< find(const std::optional<Key>& after, std::size_t count)
};
/// Makes a Keyset: context.page(asked, server::keyset(&Book::id, find)).
template <class Holder, class Key, class Find>
[[nodiscard]] Keyset<Holder, Key, Find> keyset(Key Holder::* key, Find find) {
  return {key, std::move(find)};
}

/// A page as a handler made it, before it is fitted to the budget.
struct PageDraft {
  std::string member;      ///< name of the member of the payload that holds the rows
  std::string list;        ///< the request without cursor and limit, which identifies the list
  std::size_t offset = 0;  ///< of the first row; 0 with keys, because it is not known
  std::size_t size = 0;    ///< rows on the page, at most
  std::size_t rows = 0;    ///< rows in the payload
  bool more = false;       ///< the list has rows after these
  std::optional<std::size_t> total;  ///< rows of the whole list; nullopt: not known
  std::vector<std::string> keys;     ///< one for each row; empty: cursors hold an offset
};

}  // namespace enfold::server
