// SPDX-License-Identifier: Apache-2.0
// expect: a field is bool, a number, text, an enum class
// names: &Search::when, std::unique_ptr<int
#include "enfold/server/server.h"

using namespace enfold;

struct Search {
  std::string query;
  std::unique_ptr<int> when;
  static constexpr auto fields() { return server::fields<&Search::query, &Search::when>(); }
};
