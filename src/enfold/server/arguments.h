// SPDX-License-Identifier: Apache-2.0
// How the author of a tool declares what it takes: a struct whose `arguments()` names every member
// once. The input schema, the checks and the reading come from this list.
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

#include "enfold/tools/declare/arguments.h"

namespace enfold::server {

using tools::argument;
using tools::arguments;
using tools::Declares;
using tools::NoArguments;

}  // namespace enfold::server
