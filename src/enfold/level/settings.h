// SPDX-License-Identifier: Apache-2.0
// The part of a configuration that is about levels, read from JSON:
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

/// Strict: an unknown member or a value of another type is refused with its place.
[[nodiscard]] Result<Settings> read_settings(json::View config);

}  // namespace enfold::level
