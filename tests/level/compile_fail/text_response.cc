// SPDX-License-Identifier: Apache-2.0
// expect: a response type must declare its fields
// names: basic_string<char
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

json::Value answer() { return level::render(std::string("{}"), Level::minimal); }
