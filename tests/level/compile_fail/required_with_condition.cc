// SPDX-License-Identifier: Apache-2.0
// expect: a required field cannot have a condition
// names: Member<Stored, nullptr, std::
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  std::string id;
  bool changed = false;
  static constexpr auto fields() {
    return level::fields(
        level::field("id", &Stored::id, Level::minimal).required().when(&Stored::changed));
  }
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
