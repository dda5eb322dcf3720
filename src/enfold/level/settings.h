// SPDX-License-Identifier: Apache-2.0
// The configuration of levels, read from JSON. `full`, `standard` and `minimal` of a tool are its
// projections (projection.h):
//   {"default_level": "standard",
//    "tools": {"search": {"level": "minimal",
//                         "standard": {"drop": ["/**/_links"]},
//                         "minimal": {"keep": ["/items/*/id"]}}}}
#pragma once

#include "enfold/level/decide.h"
#include "enfold/level/projection.h"

namespace enfold::level {

struct Settings {
  LevelConfig levels;
  ProjectionSet projections;
};

/// Unknown members and wrong types are errors with their JSON Pointer.
[[nodiscard]] Result<Settings> read_settings(json::View config);

}  // namespace enfold::level
