// SPDX-License-Identifier: Apache-2.0
// expect: success
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  std::string id;
  bool changed = false;
  std::vector<std::string> tags;
  static constexpr auto fields() {
    return level::fields(level::field("id", &Stored::id, Level::minimal).when(&Stored::changed),
                         level::field("tags", &Stored::tags, Level::full).required());
  }
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
json::Value schema() { return level::schema_of<Stored>(); }
