// SPDX-License-Identifier: Apache-2.0
// expect: a struct declares each field name once
// names: Member<Stored, nullptr, std::
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  std::string id;
  std::string other;
  static constexpr auto fields() {
    return level::fields(level::field("id", &Stored::id, Level::minimal),
                         level::field("id", &Stored::other, Level::full));
  }
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
