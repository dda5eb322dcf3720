// SPDX-License-Identifier: Apache-2.0
// How the author of a tool declares requests and responses: a struct whose `fields()` lists every
// member once. Schemas, checks, reading and writing are derived from this list.
//   struct Search {
//     std::string query;
//     int limit = 20;
//     static constexpr auto fields() {
//       return server::fields(
//           server::field<&Search::query>().describe("Words to look for").at_least(1),
//           server::field<&Search::limit>().at_least(1).at_most(100).defaulted());
//     }
//     void check(server::Problems& problems) const {  // optional
//       if (query == "*") problems.add("query", "words", query);
//     }
//   };
#pragma once

#include "enfold/level/faults.h"
#include "enfold/level/fields.h"
#include "enfold/tools/declare/arguments.h"

namespace enfold::tools {
class Problems;
}  // namespace enfold::tools

namespace enfold::server {

using level::field;
using level::fields;
using model::Level;
using tools::argument;
using tools::arguments;
using tools::Declares;
using tools::NoArguments;
using tools::Problems;

}  // namespace enfold::server
