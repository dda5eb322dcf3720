// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/list.h"

#include "enfold/json/document.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace enfold::client {
namespace {

std::string_view member_of(mcp::Method method) {
  switch (method) {
    case mcp::Method::tools_list: return "tools";
    case mcp::Method::prompts_list: return "prompts";
    case mcp::Method::resources_list: return "resources";
    default: return "resourceTemplates";
  }
}

json::Value page_params(const std::optional<std::string>& cursor) {
  if (!cursor) return {};
  json::Writer writer;
  writer.begin_object().member("cursor", *cursor).end_object();
  return std::move(writer).finish_value();
}

class Pages : public std::enable_shared_from_this<Pages> {
 public:
  Pages(Client& client, mcp::Method method, net::Callback<void(ListResult)> done)
      : client_(client),
        method_(method),
        done_(std::move(done)),
        deadline_(client.loop().now() + client.options().call_timeout) {}

  void next(const std::optional<std::string>& cursor) {
    mcp::CallOptions options = client_.prepare(mcp::name(method_), page_params(cursor));
    const auto left = std::chrono::duration_cast<mcp::Time>(deadline_ - client_.loop().now());
    options.call_timeout = std::max(left, mcp::Time(1));
    client_.request(std::move(options), {.done = [self = shared_from_this()](CallResult result) {
                      self->take(std::move(result));
                    }});
  }

 private:
  void take(CallResult result) {
    if (!result) {
      done_(tl::unexpected(std::move(result.error())));
      return;
    }
    ++list_.pages;
    const auto items = (*result)->find(member_of(method_));
    if (!items || !items->is_array()) {
      give_up(ErrorCode::protocol_violation,
              fmt::format("expected an array {} in the answer to {}",
                          json::quote(member_of(method_)), mcp::name(method_)));
      return;
    }
    for (const json::View item : items->items()) list_.items.emplace_back(item);
    const auto cursor = json::string_member(result->view(), "nextCursor");
    if (!cursor) {
      done_(std::move(list_));
    } else if (list_.items.size() > client_.options().max_items ||
               list_.pages >= client_.options().max_pages) {
      give_up(ErrorCode::limit_exceeded,
              fmt::format("{} has more than {} pages or {} entries", mcp::name(method_),
                          client_.options().max_pages, client_.options().max_items));
    } else if (!seen_.insert(*cursor).second) {
      give_up(ErrorCode::protocol_violation,
              fmt::format("the pages of {} go round in circles: the cursor {} came twice",
                          mcp::name(method_), json::quote(cursor->substr(0, 80))));
    } else {
      next(cursor);
    }
  }

  void give_up(ErrorCode code, std::string message) {
    done_(tl::unexpected(CallFailure{
        {code, std::move(message), {}, "report it to the author of the server"}, {}, {}}));
  }

  Client& client_;
  mcp::Method method_;
  net::Callback<void(ListResult)> done_;
  net::TimePoint deadline_;
  List list_;
  std::set<std::string> seen_;
};

}  // namespace

void list(Client& client, mcp::Method method, net::Callback<void(ListResult result)> done) {
  std::make_shared<Pages>(client, method, std::move(done))->next(std::nullopt);
}

}  // namespace enfold::client
