// SPDX-License-Identifier: Apache-2.0
// How a server answers and what it allows. Every member has a default that is safe on a laptop.
#pragma once

#include "enfold/tools/settings.h"

#include <string>

namespace enfold::server {

struct Settings : tools::ServiceSettings {
  std::string title;
  std::string instructions;
};

}  // namespace enfold::server
