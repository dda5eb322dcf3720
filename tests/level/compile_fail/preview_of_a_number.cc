// SPDX-License-Identifier: Apache-2.0
// expect: a preview can only be made of text
// names: Member<Stored, nullptr, int>
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  int size = 0;
  static constexpr auto fields() {
    return level::fields(level::preview("size", &Stored::size, 10));
  }
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
