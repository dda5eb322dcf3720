// SPDX-License-Identifier: Apache-2.0
// expect: at_least() applies to numbers, texts and lists
// names: &Search::all, bool
#include "enfold/server/server.h"

using namespace enfold;

struct Search {
  bool all = false;
  static constexpr auto fields() {
    return server::fields(server::field<&Search::all>().at_least(1));
  }
};
