// SPDX-License-Identifier: Apache-2.0
// A whole list of one upstream, every page of it.
#pragma once

#include "enfold/gateway/link.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace enfold::gateway {

/// What an upstream answered, page after page.
struct Pages {
  std::vector<json::Value> results;
  std::vector<json::Value> items;
  std::optional<client::CallFailure> failure;
};

/// `params` as the client sent them, without its cursor. `done` comes once, unless the link goes.
void gather(std::shared_ptr<Link> link, mcp::Method method, json::Value params,
            std::shared_ptr<const mcp::Caller> caller, std::function<void(Pages pages)> done);

}  // namespace enfold::gateway
