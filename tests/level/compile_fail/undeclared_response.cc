// SPDX-License-Identifier: Apache-2.0
// expect: a response type must declare its fields
// names: Wrong<Stored>
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  std::string id;
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
