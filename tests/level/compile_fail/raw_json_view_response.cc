// SPDX-License-Identifier: Apache-2.0
// expect: raw JSON cannot be a response
// names: Wrong<enfold::json::View>
#include "enfold/level/schema_of.h"

using namespace enfold;
using level::Level;

void answer(json::View raw, json::Writer& writer) { level::render(raw, Level::full, writer); }
