// SPDX-License-Identifier: Apache-2.0
// A whole list of one upstream, every page of it.
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

/// What an upstream answered, page after page.
struct Pages {
  std::vector<json::Value> results;
  std::vector<json::Value> items;
  std::optional<client::CallFailure> failure;
};

struct Upstream;
struct Listed {
  Upstream* by;
  Pages pages;
  bool has_come = false;
};

/// With an upstream that does not answer, before the others are served without it.
inline constexpr std::chrono::seconds kListPatience{5};

/// How a list has an item: a tool, a prompt or a resource.
[[nodiscard]] std::string name_of(json::View item);
[[nodiscard]] mcp::ListKind kind_of(mcp::Method list);
[[nodiscard]] bool is_same_list(const std::vector<json::Value>& a,
                                const std::vector<json::Value>& b);

/// Asks for one page after the other.
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
  /// Nobody wants it any more; `done` does not come.
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
  std::optional<mcp::CallKey> ticket_;
};

/// `params` as the client sent them, without its cursor. `done` comes once, unless the link goes.
std::shared_ptr<Gathering> gather(std::shared_ptr<UpstreamConnection> link, mcp::Method method,
                                  json::Value params, std::shared_ptr<const mcp::Caller> caller,
                                  Gathering::Done done);

}  // namespace enfold::gateway
