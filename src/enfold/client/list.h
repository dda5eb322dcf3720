// SPDX-License-Identifier: Apache-2.0
// Whole lists: every page that a server has, followed to the last within bounds. A cursor that
// comes twice ends it, or it would never end.
#pragma once

#include "enfold/client/client.h"

#include <vector>

namespace enfold::client {

struct List {
  std::vector<json::Value> items;  ///< as they came, in order
  std::size_t pages = 0;
};
using ListResult = tl::expected<List, CallFailure>;

/// One of the four list methods. The client must outlive it; the patience of the options holds for
/// each page, `longest` for all together.
void list(Client& client, mcp::Method method, net::Callback<void(ListResult result)> done);

}  // namespace enfold::client
