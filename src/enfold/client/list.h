// SPDX-License-Identifier: Apache-2.0
// Reads all pages of a list, within the bounds of the options. A cursor that comes twice is an
// error, because following it would never end.
#pragma once

#include "enfold/client/client.h"

#include <vector>

namespace enfold::client {

struct List {
  std::vector<json::Value> items;  ///< as they came, in order
  std::size_t pages = 0;
};
using ListResult = tl::expected<List, CallFailure>;

/// One of the four list methods. The client must outlive it; `idle_timeout` of the options holds
/// for each page, `call_timeout` for all together.
void list(Client& client, mcp::Method method, net::Callback<void(ListResult result)> done);

}  // namespace enfold::client
