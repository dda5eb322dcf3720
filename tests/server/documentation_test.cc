// SPDX-License-Identifier: Apache-2.0
// The C++ of docs/guide/server.md that is not in examples/hello, compiled and run.
#include "enfold/contract/errors/failures.h"
#include "tests/server/talk.h"

namespace enfold::server {
namespace {

struct Lookup {
  std::string title;
  static constexpr auto arguments() { return server::arguments(argument("title", &Lookup::title)); }
};
struct Book {
  std::string title;
  static constexpr auto fields() {
    return level::fields(level::field("title", &Book::title, level::Level::minimal));
  }
};

server::Answer<Book> find(const Lookup& asked, server::Context& context) {
  if (asked.title.empty()) {
    return contract::make_failure(contract::failures::NotFound{"Book", asked.title});
  }
  context.warn("STALE_CACHE", "The catalogue is a day old");
  return Book{asked.title};
}

TEST(ServerDocumentation, has_a_handler_that_works) {
  Server server("books", "1");
  server.tool("find", "Finds a book", find);
  Talk talk(server);
  talk.open_session();
  const json::Value found = talk.call("find", R"({"title":"Dune"})");
  EXPECT_EQ(at(found, "/data"), R"({"title":"Dune"})");
  EXPECT_EQ(at(found, "/meta/warnings/0"), R"("The catalogue is a day old")");
  EXPECT_EQ(at(talk.call("find", R"({"title":""})"), "/data/error_code"), R"("NOT_FOUND")");
}

}  // namespace
}  // namespace enfold::server
