// SPDX-License-Identifier: Apache-2.0
// expect: a field is bool, a number, text, an enum class
// names: Member<Search, nullptr, std::unique_ptr<int
#include "enfold/server/server.h"

using namespace enfold;

struct Search {
  std::unique_ptr<int> when;
  static constexpr auto fields() { return server::fields(server::field("when", &Search::when)); }
};
