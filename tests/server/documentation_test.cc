// SPDX-License-Identifier: Apache-2.0
// The C++ of docs/guide/server.md, in its order, compiled and run.
#include "enfold/server/run.h"
#include "enfold/server/testing.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>

using namespace enfold;

namespace {

class BookId {
 public:
  static std::optional<BookId> parse(const std::string& text) {
    if (!text.starts_with("b-")) return std::nullopt;
    return BookId(text);
  }
  const std::string& text() const { return text_; }
  BookId() = default;

 private:
  explicit BookId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace

template <>
struct enfold::As<BookId> {
  using Type = std::string;
  static constexpr std::string_view pattern = "^b-[0-9]+$";
  static std::string to(const BookId& id) { return id.text(); }
  static std::optional<BookId> from(const std::string& text) { return BookId::parse(text); }
};

namespace {

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

class Shop {
 public:
  std::vector<Book> search(const std::string& words, std::size_t from, std::size_t count) const;
  std::optional<Book> find(const std::string& id) const;

 private:
  std::vector<Book> books_ = {{"b-1", "Dune", 9.99, "Sand"}, {"b-2", "Emma", 7.5, "Hartfield"}};
};

std::vector<Book> Shop::search(const std::string& words, std::size_t from,
                               std::size_t count) const {
  std::vector<Book> found;
  for (const Book& book : books_) {
    if (book.title.find(words) == std::string::npos) continue;
    if (from > 0) {
      --from;
    } else if (found.size() < count) {
      found.push_back(book);
    }
  }
  return found;
}

std::optional<Book> Shop::find(const std::string& id) const {
  for (const Book& book : books_) {
    if (book.id == id) return book;
  }
  return std::nullopt;
}

struct GetBook {
  std::string id;
  static constexpr auto fields() {
    return server::fields(
        server::field<&GetBook::id>().describe("Such as b-1").pattern("^b-[0-9]+$").example("b-1"));
  }
};

server::Answer<Book> get_book(const Shop& shop, const GetBook& asked) {
  if (std::optional<Book> book = shop.find(asked.id)) return std::move(*book);
  return server::failures::NotFound{"Book", asked.id};
}

struct Search : server::PageRequest {
  std::string words;
  static constexpr auto fields() { return server::fields<&Search::words>(); }
};

server::Answer<server::Page<Book>> search(const Shop& shop, const Search& asked,
                                          server::Context& context) {
  return context.page(asked, [&](std::size_t from, std::size_t count) {
    return shop.search(asked.words, from, count);
  });
}

struct ListBooks : server::PageRequest {
  static constexpr auto fields() { return server::fields(); }
};

std::vector<Book> books_after(const Shop& shop, const std::string& id, std::size_t count) {
  std::vector<Book> found;
  for (const Book& book : shop.search("", 0, SIZE_MAX)) {
    if (book.id > id && found.size() < count) found.push_back(book);
  }
  return found;
}

server::Answer<server::Page<Book>> list_books(const Shop& shop, const ListBooks& asked,
                                              server::Context& context) {
  const auto find = [&](const std::optional<std::string>& after, std::size_t count) {
    return books_after(shop, after.value_or(""),
                       count);  // where id > :after order by id limit :count
  };
  return context.page(asked, server::keyset(&Book::id, find));
}

TEST(Documentation, of_keysets_lists_what_is_after_the_key) {
  server::Server shop("shop", "1.0.0");
  shop.tool("list_books", "Lists all books",
            [books = Shop()](const ListBooks& asked, server::Context& context) {
              return list_books(books, asked, context);
            });
  server::Tester tester(std::move(shop));
  const server::TestAnswer first = tester.call("list_books", R"({"limit":1})");
  EXPECT_EQ(first.at("/items/0/id"), R"("b-1")");
  EXPECT_EQ(tester.call("list_books", R"({"cursor":")" + first.cursor().value_or("") + R"("})")
                .at("/items/0/id"),
            R"("b-2")");
}

struct AddReview {
  std::string book_id;
  int rating = 0;
  std::string text;
  static constexpr auto fields() {
    return server::fields(server::field<&AddReview::book_id>(),
                          server::field<&AddReview::rating>().at_least(1).at_most(5),
                          server::field<&AddReview::text>().defaulted());
  }
  void check(server::Problems& problems) const {
    if (rating <= 2 && text.empty()) problems.add("text", "a reason for a bad review");
  }
};
struct Added {
  std::string review_id;
  static constexpr auto fields() { return server::fields<&Added::review_id>(); }
};

Added add_review(const AddReview& asked) { return {"r-" + asked.book_id}; }

struct Recommend {
  std::string topic;
  static constexpr auto fields() { return server::fields<&Recommend::topic>(); }
};

server::Server make_shop(const Shop& shop) {
  server::Server server("bookshop", "1.0.0");
  server
      .tool("search", "Finds books by words of their titles",
            [&shop](const Search& asked, server::Context& context) {
              return search(shop, asked, context);
            })
      .read_only();
  server
      .tool("get_book", "One book", [&shop](const GetBook& asked) { return get_book(shop, asked); })
      .read_only();
  server.tool("add_review", "Adds a review", add_review);
  server.resource("shop://about", "About the shop", [] { return "Books since 1998"; })
      .mime_type("text/plain");
  server.prompt("recommend", "Recommends a book",
                [](const Recommend& asked) { return "Recommend one book about " + asked.topic; });
  return server;
}

[[maybe_unused]] int main_of_shop(int argc, char** argv) {
  const Shop shop;
  return server::run(make_shop(shop), argc, argv);
}

TEST(Bookshop, finds_a_book) {
  const Shop shop;
  server::Tester tester(make_shop(shop));
  EXPECT_EQ(tester.call("get_book", R"({"id":"b-1"})").at("/title"), R"("Dune")");
  EXPECT_EQ(tester.call("get_book", R"({"id":"b-9"})").code(), "NOT_FOUND");
  const server::TestAnswer refused = tester.call("add_review", R"({"book_id":"b-1","rating":1})");
  EXPECT_EQ(refused.code(), "VALIDATION_ERROR");
  EXPECT_EQ(refused.at("/field"), R"("text")");
}

struct Address {
  std::string street;
  bool express = false;
  static constexpr auto fields() {
    return server::fields(server::field<&Address::street>(),
                          server::field<&Address::express>().defaulted());
  }
};

server::Answer<server::Text> order(server::Context& context) {
  const auto address = context.elicit<Address>("Where shall we send it?");
  if (!address.is_answered()) return address.question();
  if (!address.is_accepted()) return server::Text{"Nothing was ordered"};
  return server::Text{"On its way to " + address->street};
}

struct Stock {
  int copies = 0;
  static constexpr auto fields() { return server::fields<&Stock::copies>(); }
};

class Warehouse {
 public:
  void count(const GetBook& asked, server::Reply<Stock> reply) {
    threads_.emplace_back([id = asked.id, reply = std::move(reply)] {
      if (id != "b-1") {
        reply.finish(server::failures::NotFound{"Book", id});
      } else if (!reply.context().should_stop()) {
        reply.finish(Stock{3});
      }
    });
  }

 private:
  std::vector<std::jthread> threads_;
};

void add_stock(server::Server& shop, Warehouse& warehouse) {
  shop.tool("stock", "Counts the copies of a book", &Warehouse::count, warehouse)
      .deadline(std::chrono::seconds(10));
}

struct Shelf {
  std::function<void(const std::string& title)> before_store = [](const std::string&) {};
  bool store(const std::string& title) {
    before_store(title);
    return !title.empty();
  }
};

struct Import {
  std::vector<std::string> titles;
  static constexpr auto fields() { return server::fields<&Import::titles>(); }
};
struct Imported {
  int stored = 0;
  static constexpr auto fields() { return server::fields<&Imported::stored>(); }
};

Imported import_books(Shelf& shelf, const Import& asked, server::Context& context) {
  Imported imported;
  for (const std::string& title : asked.titles) {
    if (context.should_stop()) break;
    if (shelf.store(title)) {
      ++imported.stored;
    } else {
      context.warn("BOOK_REFUSED", "No room for " + title);
      context.mark_partial();
    }
    context.keep(imported);
    context.progress(imported.stored, static_cast<double>(asked.titles.size()));
  }
  return imported;
}

void add_import(server::Server& server, Shelf& shelf) {
  server
      .tool("import_books", "Stores books",
            [&shelf](const Import& asked, server::Context& context) {
              return import_books(shelf, asked, context);
            })
      .slow(std::chrono::minutes(1));
}

server::Text rebuild(server::Context& context) {
  for (int shelf = 1; shelf <= 40 && !context.should_stop(); ++shelf) {
    context.progress(shelf, 40, "shelf " + std::to_string(shelf));  // the status of the task
  }
  return server::Text{"rebuilt"};
}

void add_tasks(server::Server& shop) {
  shop.tool("rebuild_index", "Rebuilds the index of all books", rebuild)
      .task({.deadline = std::chrono::hours(1), .ttl = std::chrono::hours(4)});
}

enum class Genre { crime, classic, comedy };

struct ShelfOf {
  Genre genre = Genre::crime;
  int number = 1;
  static constexpr auto fields() {
    return server::fields(server::field<&ShelfOf::genre>(),
                          server::field<&ShelfOf::number>().at_least(1));
  }
};

server::Answer<std::string> read_shelf(const ShelfOf& asked) {
  if (asked.number > 9) return server::failures::NotFound{"Shelf", std::to_string(asked.number)};
  return "shelf " + std::to_string(asked.number);
}

struct Compare {
  std::string first;
  std::string second;
  static constexpr auto fields() { return server::fields<&Compare::first, &Compare::second>(); }
};

void add_shelves(server::Server& server) {
  server.resource_template("shop://shelves/{genre}/{number}", "A shelf", read_shelf)
      .mime_type("text/plain")
      .complete("number", {"1", "2", "3"});
  server
      .prompt(
          "compare", "Compares two books",
          [](const Compare& asked) { return "Compare " + asked.first + " and " + asked.second; })
      .complete("first", {"Dune", "Emma"})
      .complete("second", [](const std::string& typed, const server::Texts& others) {
        const auto first = others.find("first");
        const bool dune = first != others.end() && first->second == "Dune";
        const std::string other = dune ? "Emma" : "Dune";
        return other.starts_with(typed) ? std::vector{other} : std::vector<std::string>{};
      });
}

void open_sale(server::Offers offers) {
  offers.tool("sale", "Lists what is on sale", [] { return server::Text{"Dune"}; }).read_only();
  offers.resource_updated("shop://about");
}

TEST(Bookshop, keeps_what_it_has_stored_when_the_time_is_over) {
  Shelf shelf;
  server::Server server("import", "1");
  add_import(server, shelf);
  server::Tester tester(std::move(server));
  shelf.before_store = [&](const std::string& title) {
    if (title == "Ulysses") tester.advance(std::chrono::minutes(2));
  };
  const server::TestAnswer answer =
      tester.call("import_books", R"({"titles":["Dune","Emma","Ulysses"]})");
  EXPECT_EQ(answer.outcome(), model::Outcome::partial);
  EXPECT_EQ(answer.at("/stored"), "2");
}

TEST(Bookshop, says_that_an_import_was_partial) {
  Shelf shelf;
  server::Server server("import", "1");
  add_import(server, shelf);
  server::Tester tester(std::move(server));
  const server::TestAnswer answer = tester.call("import_books", R"({"titles":["Dune",""]})");
  EXPECT_EQ(answer.outcome(), model::Outcome::partial);
  EXPECT_TRUE(answer.has_warning("BOOK_REFUSED"));
  EXPECT_EQ(answer.at("/stored"), "1");
}

TEST(Bookshop, reads_and_writes_its_own_types) {
  struct Asked {
    BookId id;
    Genre genre = Genre::crime;
    static constexpr auto fields() { return server::fields<&Asked::id, &Asked::genre>(); }
  };
  server::Server server("types", "1");
  server.tool("echo", "Returns what it gets", [](const Asked& asked) { return asked; });
  server.tool("name", "The name of a genre", [](const Asked& asked) {
    return server::Text{std::string(model::name(asked.genre))};
  });
  server::Tester tester(std::move(server));
  EXPECT_EQ(tester.call("echo", R"({"id":"b-7","genre":"comedy"})").at("/id"), R"("b-7")");
  EXPECT_EQ(tester.call("echo", R"({"id":"7","genre":"comedy"})").code(), "VALIDATION_ERROR");
  EXPECT_EQ(tester.call("name", R"({"id":"b-7","genre":"comedy"})").at("/text"), R"("comedy")");
}

TEST(Bookshop, tells_clients_what_has_changed) {
  const Shop shop;
  server::Tester tester(make_shop(shop));
  EXPECT_FALSE(tester.subscribe("shop://about").error.has_value());
  std::thread(open_sale, tester.offers()).join();
  const std::vector<server::TestNotification> told = tester.notifications();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].method, "tools/list_changed");
  EXPECT_EQ(told[1].uri(), "shop://about");
  EXPECT_TRUE(tester.call("sale").ok());
}

TEST(Bookshop, has_shelves_and_completes_their_names) {
  server::Server server("shelves", "1");
  add_shelves(server);
  server::Tester tester(std::move(server));
  using Names = std::vector<std::string>;
  EXPECT_EQ(tester.read("shop://shelves/crime/2").text(), "shelf 2");
  EXPECT_TRUE(tester.read("shop://shelves/crime/10").error.has_value());
  EXPECT_EQ(tester.complete("shop://shelves/{genre}/{number}", "genre", "cl").completions,
            Names{"classic"});
  EXPECT_EQ(tester.complete("compare", "second", "", R"({"first":"Dune"})").completions,
            Names{"Emma"});
  EXPECT_EQ(tester.prompt("compare", R"({"first":"Dune","second":"Emma"})").text(),
            "Compare Dune and Emma");
}

TEST(Bookshop, has_pages_a_resource_and_a_prompt) {
  const Shop shop;
  server::Tester tester(make_shop(shop));
  const server::TestAnswer first = tester.call("search", R"({"words":"","limit":1})");
  EXPECT_EQ(first.at("/items/0/id"), R"("b-1")");
  ASSERT_TRUE(first.cursor().has_value());
  const server::TestAnswer second =
      tester.call("search", R"({"words":"","limit":1,"cursor":")" + *first.cursor() + "\"}");
  EXPECT_EQ(second.at("/items/0/id"), R"("b-2")");
  EXPECT_FALSE(second.cursor().has_value());
  EXPECT_EQ(tester.read("shop://about").text(), "Books since 1998");
  EXPECT_EQ(tester.prompt("recommend", R"({"topic":"sand"})").text(),
            "Recommend one book about sand");
}

TEST(Bookshop, asks_where_to_send_an_order) {
  server::Server server("orders", "1");
  server.tool("order", "Orders a book", order);
  server::Tester tester(std::move(server));
  tester.answer_forms([](const server::TestForm&) { return R"({"street":"Main St"})"; });
  EXPECT_EQ(tester.call("order").at("/text"), R"("On its way to Main St")");
}

TEST(Bookshop, counts_its_stock_on_another_thread) {
  Warehouse warehouse;
  server::Server server("stock", "1");
  add_stock(server, warehouse);
  server::Tester tester(std::move(server));
  EXPECT_EQ(tester.call("stock", R"({"id":"b-1"})").at("/copies"), "3");
  EXPECT_EQ(tester.call("stock", R"({"id":"b-9"})").code(), "NOT_FOUND");
}

TEST(Bookshop, rebuilds_its_index_also_for_clients_without_tasks) {
  server::Server server("index", "1");
  add_tasks(server);
  server::Tester tester(std::move(server));
  const server::TestAnswer answer = tester.call("rebuild_index");
  EXPECT_TRUE(answer.ok());
  EXPECT_EQ(answer.progress.size(), 40U);
}

// Text without white space, and without what only the page or only this file needs.
std::string condensed(std::string text) {
  for (const char* gone :
       {"#include \"enfold/server/run.h\"", "using namespace enfold;", "[[maybe_unused]] "}) {
    for (std::size_t at = text.find(gone); at != std::string::npos; at = text.find(gone)) {
      text.erase(at, std::string(gone).size());
    }
  }
  const std::size_t main = text.find("main_of_shop");
  if (main != std::string::npos) text.replace(main, 12, "main");
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

std::string content_of(const std::string& file) {
  std::ifstream input(ENFOLD_SOURCE_DIR "/" + file);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

TEST(Documentation, of_servers_shows_code_that_is_compiled_and_run) {
  const std::string page = content_of("docs/guide/server.md");
  const std::string code = condensed(content_of("tests/server/documentation_test.cc"));
  std::size_t blocks = 0;
  const std::string fence = "```cpp\n";
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
    const std::size_t start = at + fence.size();
    const std::string block = page.substr(start, page.find("```", start) - start);
    EXPECT_NE(code.find(condensed(block)), std::string::npos) << block;
    ++blocks;
  }
  EXPECT_GE(blocks, 8U);
}

}  // namespace
