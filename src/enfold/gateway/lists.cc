// SPDX-License-Identifier: Apache-2.0
// Lists: all pages of all upstreams as one page, in their order, with the names that clients use
// and the output schemas that suit the answers; at the end the gateway's own tools.
#include "enfold/gateway/lists.h"

#include "enfold/gateway/gateway.h"
#include "enfold/mcp/overlay.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace enfold::gateway {
namespace {

using mcp::Method;

constexpr std::size_t kMostPages = 1000;

std::string_view member_of(Method method) {
  switch (method) {
    case Method::tools_list: return "tools";
    case Method::prompts_list: return "prompts";
    case Method::resources_list: return "resources";
    default: return "resourceTemplates";
  }
}

class Gathering : public std::enable_shared_from_this<Gathering> {
 public:
  Gathering(std::shared_ptr<Link> link, Method method, json::Value params,
            std::shared_ptr<const mcp::Caller> caller, std::function<void(Pages)> done)
      : link_(std::move(link)),
        method_(method),
        params_(std::move(params)),
        caller_(std::move(caller)),
        done_(std::move(done)) {}

  void next(const std::optional<std::string>& cursor) {
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
    link_->request(std::move(options),
                   {.done = [self = shared_from_this()](client::CallResult result) {
                     self->take(std::move(result));
                   }});
  }

 private:
  void take(client::CallResult result) {
    if (!result) {
      pages_.failure = std::move(result.error());
      done_(std::move(pages_));
      return;
    }
    const auto items = (*result)->find(member_of(method_));
    if (items) {
      for (const json::View item : items->items()) pages_.items.emplace_back(item);
    }
    const auto cursor = mcp::text_member(result->view(), "nextCursor");
    pages_.results.push_back(std::move(*result));
    // A cursor that comes twice would never end.
    if (cursor && pages_.results.size() < kMostPages && seen_.insert(*cursor).second) {
      next(cursor);
    } else {
      done_(std::move(pages_));
    }
  }

  std::shared_ptr<Link> link_;
  Method method_;
  json::Value params_;
  std::shared_ptr<const mcp::Caller> caller_;
  std::function<void(Pages)> done_;
  Pages pages_;
  std::set<std::string> seen_;
};

std::string name_of(json::View item) { return mcp::text_member(item, "name").value_or(""); }

}  // namespace

void gather(std::shared_ptr<Link> link, Method method, json::Value params,
            std::shared_ptr<const mcp::Caller> caller, std::function<void(Pages pages)> done) {
  std::make_shared<Gathering>(std::move(link), method, std::move(params), std::move(caller),
                              std::move(done))
      ->next(std::nullopt);
}

void Gateway::learn_tools(const std::shared_ptr<Link>& link, net::Task done) {
  auto then = std::make_shared<net::Task>(std::move(done));
  if (!link->server().capabilities.has("tools")) {
    (*then)();
    return;
  }
  gather(link, Method::tools_list, {}, nullptr,
         [this, alive = alive_, link, then](const Pages& pages) {
           if (!*alive) return;
           if (!pages.failure) upstream_of(*link).tools.replace(pages.items);
           (*then)();
         });
}

void Gateway::list(const mcp::Call& call, const std::shared_ptr<server::Port>& port) {
  if (std::get_if<mcp::ListRequest>(&call.params)->cursor) {
    port->reply(call.key,
                mcp::invalid_params("Invalid params: expected no cursor, for there is one page"));
    return;
  }
  struct All {
    std::size_t left;
    std::vector<Pages> of;  ///< by upstream
  };
  auto all = std::make_shared<All>(All{upstreams_.size(), std::vector<Pages>(upstreams_.size())});
  Visitor& visitor = visitor_of(*port);
  for (std::size_t i = 0; i < upstreams_.size(); ++i) {
    const auto gathered = [this, alive = alive_, all, i, call,
                           weak = std::weak_ptr(port)](Pages pages) {
      if (!*alive) return;
      all->of[i] = std::move(pages);
      if (--all->left > 0) return;
      if (const std::shared_ptr<server::Port> open = weak.lock()) {
        open->reply(call.key, write_list(call, *open, all->of));
      }
    };
    gather(link_for(visitor, call, *upstreams_[i]), call.method,
           with_trace(call.raw_params, step_of(call)), call.caller, gathered);
  }
}

// One item as clients see it; what cannot be read is theirs to judge.
void Gateway::write_item(json::Writer& writer, const mcp::Call& call, Upstream& upstream,
                         json::View item, server::AnswerContract contract) {
  const mcp::Era era = call.caller->era;
  if (call.method == Method::tools_list) {
    const std::string name = name_of(item);
    const auto tool =
        shown_tool(item, shown(upstream, name), contract, settings_.check_of(name));
    tool ? mcp::write(writer, *tool, era) : void(writer.value(item));
  } else if (call.method == Method::prompts_list) {
    auto prompt = mcp::read_prompt(item);
    if (prompt) prompt->name = shown(upstream, prompt->name);
    prompt ? mcp::write(writer, *prompt) : void(writer.value(item));
  } else {
    const std::string_view key = call.method == Method::resources_list ? "uri" : "uriTemplate";
    if (auto uri = mcp::text_member(item, key)) resources_.emplace(std::move(*uri), &upstream);
    writer.value(item);
  }
}

void Gateway::write_own_tools(json::Writer& writer, const std::set<std::string>& taken,
                              contract::Id contract, mcp::Era era) const {
  const json::Value own =
      json::parse_own(own_tools_->shared().catalog->list_tools(contract, era).str());
  const auto tools = own->find("tools");
  for (const json::View tool : tools->items()) {
    if (!taken.contains(name_of(tool))) writer.value(tool);
  }
}

mcp::Reply Gateway::write_list(const mcp::Call& call, server::Port& port,
                               const std::vector<Pages>& of) {
  const bool failed = std::all_of(of.begin(), of.end(),
                                  [](const Pages& pages) { return pages.failure.has_value(); });
  if (failed) {
    const client::CallFailure& failure = *of.front().failure;
    return failure.refusal ? *failure.refusal : mcp::to_rpc_error(failure.error);
  }
  const server::AnswerContract contract = contract_for(call, port);
  const bool tools = call.method == Method::tools_list;
  std::set<std::string> taken;
  json::Writer list;
  list.begin_array();
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (tools && !of[i].failure) upstreams_[i]->tools.replace(of[i].items);
    for (const json::Value& item : of[i].items) {
      write_item(list, call, *upstreams_[i], item.view(), contract);
      taken.insert(shown(*upstreams_[i], name_of(item.view())));
    }
  }
  if (tools && contract) write_own_tools(list, taken, *contract, call.caller->era);
  list.end_array();
  const json::Value items = std::move(list).finish_value();
  // Of one upstream everything else stays as it said it.
  const json::View first = of.size() == 1 ? of.front().results.front().view() : json::View();
  json::Writer writer;
  mcp::Overlay()
      .member(member_of(call.method), [&](json::Writer& out) { out.value(items); })
      .without("nextCursor")
      .write(writer, first);
  json::Value result = std::move(writer).finish_value();
  if (of.size() == 1) return mcp::Relayed{std::move(result)};
  return mcp::complete(std::move(result));
}

}  // namespace enfold::gateway
