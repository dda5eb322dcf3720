// SPDX-License-Identifier: Apache-2.0
// Statements, conditions, searches and cursors over any answer: every query ends with a result or
// an error that says where, a cursor that was changed never opens, and pages lead to their end. The
// input is a query and an answer with a record separator (0x1E) between them; its first byte
// chooses the kind of query.
#include "enfold/retrieve/retrieve.h"

#include "enfold/retrieve/page.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

using retrieve::Query;

retrieve::SqlContext bounded_sql() {
  retrieve::SqlContext context;
  context.bounds.most_steps = 200'000;
  context.bounds.most_memory = std::size_t{16} << 20;
  context.bounds.most_rows = 1000;
  return context;
}

Result<Query> query_of(unsigned kind, std::string_view text) {
  retrieve::QueryOptions options;
  const std::string given(text);
  switch (kind % 8) {
    case 0: options.sql = given; break;
    case 1: options.where = given; break;
    case 2: options.find = given; break;
    case 3: options.regex = given; break;
    case 4: options.pointer = given; break;
    case 5: options.range = given; break;
    case 6: options.lines = given; break;
    default: options.ids = {given}; break;
  }
  options.count = kind >= 128;
  return retrieve::parse_query(options);
}

void check_cursor(const Query& query, std::string_view input) {
  const contract::CursorKey key =
      *contract::CursorKey::from_bytes("a key of sixteen bytes or more");
  const retrieve::Position position{.archive = "184467440737", .query = query, .offset = 7};
  const std::string cursor = retrieve::to_cursor(position, key, "ann");
  const auto again = retrieve::from_cursor(cursor, key, "ann");
  require(again && *again == position, "a cursor leads back to its position", input);
  require(!retrieve::from_cursor(cursor, key, "bob"), "a cursor opens for its owner only", input);
  std::string changed = cursor;
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  const auto forged = retrieve::from_cursor(changed, key, "ann");
  require(!forged || *forged == position, "a changed cursor does not open", input);
}

void check(std::string_view input) {
  if (input.empty()) return;
  const unsigned kind = static_cast<unsigned char>(input.front());
  const std::size_t cut = std::min(input.find('\x1e'), input.size());
  const std::string_view answer = cut < input.size() ? input.substr(cut + 1) : std::string_view();
  const contract::CursorKey key =
      *contract::CursorKey::from_bytes("a key of sixteen bytes or more");
  (void)retrieve::from_cursor(input.substr(1, cut - 1), key, "ann");
  const auto query = query_of(kind, input.substr(1, cut - 1));
  if (!query) {
    require(!query.error().message.empty(), "a refused query says why", input);
    return;
  }
  check_cursor(*query, input);
  const auto found = retrieve::retrieve_bytes(answer, {}, *query, {}, {}, bounded_sql());
  if (!found) {
    require(!found.error().message.empty(), "a failed query says why", input);
    return;
  }
  require(json::parse(json::to_text(found->value.view())).has_value(), "a result is JSON", input);
  std::size_t offset = 0;
  for (int pages = 0; pages < 100; ++pages) {
    const auto page = retrieve::page(*found, offset, 1 + kind % 7);
    require(page.has_value(), "every page of a result can be read", input);
    if (!page->next) break;
    require(*page->next > offset, "pages lead on", input);
    offset = *page->next;
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
