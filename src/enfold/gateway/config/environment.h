// SPDX-License-Identifier: Apache-2.0
// What the objects of a gateway share: its loop, its host and its settings.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/net/loop.h"
#include "enfold/serve/host.h"

namespace enfold::gateway {

struct Environment {
  net::Loop& loop;
  serve::Host& host;
  const Settings& settings;  ///< a reload changes its content

  void log(const serve::LogLine& line) const { settings.answers.log(line); }
};

}  // namespace enfold::gateway
