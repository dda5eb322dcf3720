// SPDX-License-Identifier: Apache-2.0
// expect: raw JSON cannot be a response
// names: Wrong<enfold::json::Value>
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

json::Value answer() { return level::render(json::parse_own("{}"), Level::minimal); }
