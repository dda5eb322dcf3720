// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/gathering.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using mcp::Method;

constexpr std::size_t kMostPages = 1000;

}  // namespace

std::string name_of(json::View item) { return json::string_member(item, "name").value_or(""); }

std::string_view items_member(Method list) {
  switch (list) {
    case Method::tools_list: return "tools";
    case Method::prompts_list: return "prompts";
    case Method::resources_list: return "resources";
    default: return "resourceTemplates";
  }
}

mcp::ListKind kind_of(Method list) {
  switch (list) {
    case Method::tools_list: return mcp::ListKind::tools;
    case Method::prompts_list: return mcp::ListKind::prompts;
    default: return mcp::ListKind::resources;
  }
}

bool is_same_list(const std::vector<json::Value>& a, const std::vector<json::Value>& b) {
  return std::ranges::equal(
      a, b, [](const json::Value& x, const json::Value& y) { return x->raw() == y->raw(); });
}

void Gathering::next(const std::optional<std::string>& cursor) {
  json::Writer writer;
  mcp::Overlay overlay;
  if (cursor) {
    overlay.member("cursor", [&](json::Writer& out) { out.string(*cursor); });
  } else {
    overlay.without("cursor");
  }
  overlay.write(writer, params_.view());
  mcp::CallOptions options = link_->prepare(mcp::name(method_), std::move(writer).finish_value());
  options.on_behalf_of = caller_;
  options.hands_over_input = true;
  request_ = link_->request(std::move(options),
                            {.done = [self = shared_from_this()](client::CallResult result) {
                              self->take(std::move(result));
                            }});
}

void Gathering::cancel(std::string_view reason) {
  done_ = nullptr;
  if (const auto ticket = std::exchange(request_, std::nullopt)) link_->cancel(*ticket, reason);
}

void Gathering::take(client::CallResult result) {
  request_.reset();
  if (!done_) return;
  if (!result) {
    pages_.failure = std::move(result.error());
    finish();
    return;
  }
  const auto items = (*result)->find(items_member(method_));
  if (items) {
    for (const json::View item : items->items()) pages_.items.emplace_back(item);
  }
  const auto cursor = json::string_member(result->view(), "nextCursor");
  pages_.results.push_back(std::move(*result));
  // If a server repeats a cursor, fetching ends: otherwise it would never end.
  if (cursor && pages_.results.size() < kMostPages && seen_.insert(*cursor).second) {
    next(cursor);
  } else {
    finish();
  }
}

void Gathering::finish() {
  const Done done = std::exchange(done_, nullptr);
  done(std::move(pages_));
}

std::shared_ptr<Gathering> gather(std::shared_ptr<UpstreamConnection> link, Method method,
                                  json::Value params, std::shared_ptr<const mcp::Caller> caller,
                                  Gathering::Done done) {
  auto gathering = std::make_shared<Gathering>(std::move(link), method, std::move(params),
                                               std::move(caller), std::move(done));
  gathering->next(std::nullopt);
  return gathering;
}

}  // namespace enfold::gateway
