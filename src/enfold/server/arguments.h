// SPDX-License-Identifier: Apache-2.0
// How the author of a tool declares its arguments: a struct whose `arguments()` names every member
// once. Enfold derives the input schema, the checks and the reader from this list.
//   struct Search {
//     std::string query;
//     int limit = 20;
//     static constexpr auto arguments() {
//       return server::arguments(
//           server::argument("query", &Search::query).describe("Words to look for").at_least(1),
//           server::argument("limit", &Search::limit).at_least(1).at_most(100).defaulted());
//     }
//   };
#pragma once

#include "enfold/model/response.h"
#include "enfold/tools/declare/arguments.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace enfold::server {

using tools::argument;
using tools::arguments;
using tools::Declares;
using tools::NoArguments;

/// The two arguments of every tool that returns a list in pages.
///   struct List : PageArguments {
///     static constexpr auto arguments() {
///       return server::arguments(server::cursor_argument(&List::cursor),
///                                server::limit_argument(&List::limit));
///     }
///   };
struct PageArguments {
  std::optional<std::string> cursor;
  std::int64_t limit = 100;

  /// Position of the first item of the page. Fails with a response if the cursor is malformed.
  [[nodiscard]] tl::expected<std::size_t, model::Response> offset() const;
  /// `limit`, clamped to 1…1000.
  [[nodiscard]] std::size_t size() const;
};

template <class Struct>
[[nodiscard]] constexpr auto cursor_argument(std::optional<std::string> Struct::* member) {
  return argument("cursor", member).describe("From meta.pagination of the page before.");
}
template <class Struct>
[[nodiscard]] constexpr auto limit_argument(std::int64_t Struct::* member) {
  return argument("limit", member)
      .describe("Items per page.")
      .at_least(1)
      .at_most(1000)
      .defaulted();
}

}  // namespace enfold::server
