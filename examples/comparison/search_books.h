// SPDX-License-Identifier: Apache-2.0
// The tool of docs/guide/sdk-comparison.md with Enfold; tests/server/comparison_test.cc runs it.
#pragma once

#include "enfold/server/run.h"
#include "examples/comparison/index.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace comparison {

using namespace enfold;

struct Book {
  std::string id;
  std::string title;
  int year = 0;
  static constexpr auto fields() { return server::fields<&Book::id, &Book::title, &Book::year>(); }
};

struct SearchBooks : server::PageRequest {
  static constexpr int page_size = 20;
  std::string query;
  std::optional<std::string> genre;
  static constexpr auto fields() {
    return server::fields(server::field<&SearchBooks::query>().at_least(1),
                          server::field<&SearchBooks::genre>());
  }
  void check(server::Problems& problems) const {
    if (limit > 50) problems.add("limit", "at most 50", limit);
  }
};

inline server::Answer<server::Page<Book>> search_books(const Index& index, const SearchBooks& asked,
                                                       server::Context& context) {
  if (asked.genre && !index.genres().contains(*asked.genre)) {
    json::Writer known;
    known.begin_object().member("known_genres", index.genres()).end_object();
    return server::failures::NotFound{
        "Genre", *asked.genre, "UNKNOWN_GENRE", {.details = std::move(known).finish_value()}};
  }
  if (index.is_stale()) context.warn("STALE_INDEX", "The index is more than a day old");
  std::vector<Book> found;
  for (int part = 0; part < index.parts() && !context.should_stop(); ++part) {
    std::ranges::move(index.scan(part, asked.query, asked.genre), std::back_inserter(found));
    context.progress(part + 1, index.parts());
  }
  return context.page(asked, [&](std::size_t from, std::size_t count) {
    const auto rows = found | std::views::drop(from) | std::views::take(count);
    return server::Page<Book>{{rows.begin(), rows.end()}, found.size()};
  });
}

inline server::Server make_server(const Index& index) {
  server::Server server("books", "1.0.0");
  server
      .tool("search_books", "Finds books by words of their titles",
            [&index](const SearchBooks& asked, server::Context& context) {
              return search_books(index, asked, context);
            })
      .read_only()
      .slow();
  return server;
}

}  // namespace comparison
