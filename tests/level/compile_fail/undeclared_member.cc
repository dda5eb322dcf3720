// SPDX-License-Identifier: Apache-2.0
// expect: a field is bool, a number, text, an enum class
// names: Member<Stored, nullptr, std::vector<Inner
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Inner {
  int value = 0;
};

struct Stored {
  std::vector<Inner> inner;
  static constexpr auto fields() {
    return level::fields(level::field("inner", &Stored::inner, Level::minimal));
  }
};

json::Value answer() { return level::render(Stored{}, Level::minimal); }
