// SPDX-License-Identifier: Apache-2.0
// A small server with one tool of each kind, for the tests of this folder.
#pragma once

#include "enfold/contract/errors/failures.h"
#include "enfold/server/server.h"

#include <stdexcept>

namespace enfold::server {

struct Lookup {
  std::string title;
  int copies = 1;
  std::optional<std::vector<std::string>> tags;
  static constexpr auto arguments() {
    return server::arguments(
        argument("title", &Lookup::title).describe("Of the book").at_least(1).at_most(40),
        argument("copies", &Lookup::copies).at_least(1).at_most(9).defaulted(),
        argument("tags", &Lookup::tags).at_most(2));
  }
};

struct Book {
  std::string id;
  std::string title;
  std::string blurb;
  static constexpr auto fields() {
    return level::fields(level::field("id", &Book::id, level::Level::minimal),
                         level::field("title", &Book::title, level::Level::standard),
                         level::field("blurb", &Book::blurb, level::Level::full));
  }
};

struct Shelf {
  std::vector<Book> books;
  std::size_t total = 0;  // only in the page
  static constexpr auto fields() {
    return level::fields(level::field("books", &Shelf::books, level::Level::minimal).required());
  }
};

struct Browse : PageRequest {
  int count = 3;
  static constexpr auto fields() {
    return server::fields(server::field<&Browse::count>().defaulted());
  }
};

inline Book look_up(const Lookup& asked) {
  return {"b-" + std::to_string(asked.copies), asked.title, "long"};
}

inline Answer<Shelf> browse(const Browse& asked, Context& context) {
  const auto books = [&](std::size_t from, std::size_t rows) {
    Shelf shelf;
    const auto count = static_cast<std::size_t>(asked.count);
    for (std::size_t i = from; i < count && shelf.books.size() < rows; ++i) {
      shelf.books.push_back({"b-" + std::to_string(i), "Title number " + std::to_string(i), ""});
    }
    shelf.total = count;
    return shelf;
  };
  return context.page(asked, books, &Shelf::books, &Shelf::total);
}

inline Server book_server(Settings settings = {}) {
  Server server("books", "2.1.0", std::move(settings));
  server.tool("look_up", "Finds a book", look_up).read_only();
  server.tool("browse", "Lists books", browse);
  server.tool("slow_look_up", "Finds a book, later", look_up).slow(std::chrono::seconds(2));
  server.tool("throws", "Throws", [](const NoArguments&) -> Book {
    throw std::runtime_error("secret path /srv/db at 0x1234");
  });
  server.tool("throws_slowly", "Throws on a worker", [](const NoArguments&) -> Book { throw 7; })
      .slow();
  server.tool("missing", "Finds nothing", [](const NoArguments&) -> Result<Book> {
    return fail(ErrorCode::not_found, "expected a book, found none", "shelf 3", "try another");
  });
  server.tool("broken", "Fails inside", [](const NoArguments&) -> Result<Book> {
    return fail(ErrorCode::internal, "page 7 of /srv/books.db is damaged");
  });
  server.tool("nonsense", "Claims that a failure succeeded",
              [](const NoArguments&) -> Answer<Book> { return model::Response{}; });
  return server;
}

}  // namespace enfold::server
