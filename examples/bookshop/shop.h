// SPDX-License-Identifier: Apache-2.0
// The server of docs/guide/first-server.md.
#pragma once

#include "enfold/server/server.h"

#include <string>
#include <vector>

namespace server = enfold::server;

struct Book {
  std::string id;
  std::string title;
  double price = 0;
  std::string blurb;
  static constexpr auto fields() {
    return server::fields(server::field<&Book::id>(), server::field<&Book::title>(),
                          server::field<&Book::price>().decimals(2),
                          server::field<&Book::blurb>().from_level(server::Level::full));
  }
};

struct GetBook {
  std::string id;
  static constexpr auto fields() {
    return server::fields(
        server::field<&GetBook::id>().describe("Such as b-1").pattern("^b-[0-9]+$").example("b-1"));
  }
};

struct Search : server::PageRequest {
  std::string words;
  static constexpr auto fields() { return server::fields<&Search::words>(); }
};

class Shop {
 public:
  server::Answer<Book> get(const GetBook& asked) {
    for (const Book& book : books_) {
      if (book.id == asked.id) return book;
    }
    return server::failures::NotFound{"Book", asked.id};
  }

  server::Answer<server::Page<Book>> search(const Search& asked, server::Context& context) {
    return context.page(asked, [&](std::size_t from, std::size_t count) {
      std::vector<Book> rows;
      for (const Book& book : books_) {
        if (book.title.find(asked.words) == std::string::npos) continue;
        if (from == 0 && rows.size() < count) rows.push_back(book);
        if (from > 0) --from;
      }
      return rows;
    });
  }

 private:
  std::vector<Book> books_ = {{"b-1", "Dune", 9.99, "A desert planet"},
                              {"b-2", "Emma", 7.5, "A matchmaker in Highbury"},
                              {"b-3", "Middlemarch", 11, "A town and its people"}};
};

inline server::Server make_server(Shop& shop) {
  server::Server server("bookshop", "1.0.0");
  server.tool("get_book", "One book", &Shop::get, shop).read_only();
  server.tool("search", "Finds books by their titles", &Shop::search, shop).read_only();
  server.resource("shop://about", "About the shop", [] { return "Books since 1998"; })
      .mime_type("text/plain");
  return server;
}
