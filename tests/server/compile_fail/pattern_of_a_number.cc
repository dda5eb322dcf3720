// SPDX-License-Identifier: Apache-2.0
// expect: pattern() applies to texts and lists of texts
// names: &Search::limit, int
#include "enfold/server/server.h"

using namespace enfold;

struct Search {
  int limit = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Search::limit>().pattern("x"));
  }
};
