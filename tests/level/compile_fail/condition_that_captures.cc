// SPDX-License-Identifier: Apache-2.0
// expect: condition must capture nothing
// names: Member<Stored, nullptr, std::
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

struct Stored {
  std::string id;
};

auto declare(bool outside) {
  return level::field("id", &Stored::id, Level::minimal).when([outside](const Stored&) {
    return outside;
  });
}
