// SPDX-License-Identifier: Apache-2.0
// expect: an enum class (at most 64 enumerators from 0 without a gap)
// names: &Stored::colour, Colour
#include "enfold/level/schema_of.h"

using namespace enfold;

enum class Colour { red, green = 2 };

struct Stored {
  Colour colour = Colour::red;
  static constexpr auto fields() { return level::fields<&Stored::colour>(); }
};

json::Value answer() { return level::render(Stored{}, level::Level::minimal); }
