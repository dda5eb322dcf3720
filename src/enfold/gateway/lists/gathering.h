// SPDX-License-Identifier: Apache-2.0
// Fetches a whole list of one upstream, page after page.
#pragma once

#include "enfold/gateway/upstream/connection.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::gateway {

/// The pages of a list that an upstream returned.
struct Pages {
  std::vector<json::Value> results;
  std::vector<json::Value> items;
  std::optional<client::CallFailure> failure;
};

/// If an upstream does not answer within this time, clients get the lists of the other upstreams
/// without it.
inline constexpr std::chrono::seconds kListTimeout{5};

/// The `name` of a tool, a prompt or a resource in a list.
[[nodiscard]] std::string name_of(json::View item);
/// The member of a result that holds the items of a list.
[[nodiscard]] std::string_view items_member(mcp::Method list);
[[nodiscard]] mcp::ListKind kind_of(mcp::Method list);
[[nodiscard]] bool is_same_list(const std::vector<json::Value>& a,
                                const std::vector<json::Value>& b);

class Gathering : public std::enable_shared_from_this<Gathering> {
 public:
  using Done = std::function<void(Pages pages)>;
  Gathering(std::shared_ptr<UpstreamConnection> link, mcp::Method method, json::Value params,
            std::shared_ptr<const mcp::Caller> caller, Done done)
      : link_(std::move(link)),
        method_(method),
        params_(std::move(params)),
        caller_(std::move(caller)),
        done_(std::move(done)) {}

  void next(const std::optional<std::string>& cursor);
  /// `done` is not called after this.
  void cancel(std::string_view reason);

 private:
  void take(client::CallResult result);
  void finish();

  std::shared_ptr<UpstreamConnection> link_;
  mcp::Method method_;
  json::Value params_;
  std::shared_ptr<const mcp::Caller> caller_;
  Done done_;
  Pages pages_;
  std::set<std::string> seen_;
  std::optional<mcp::CallKey> request_;
};

/// Fetches all pages. `params`: those of the client, without its cursor. Calls `done` once, unless
/// the connection is destroyed.
std::shared_ptr<Gathering> gather(std::shared_ptr<UpstreamConnection> link, mcp::Method method,
                                  json::Value params, std::shared_ptr<const mcp::Caller> caller,
                                  Gathering::Done done);

}  // namespace enfold::gateway
