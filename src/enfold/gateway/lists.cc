// SPDX-License-Identifier: Apache-2.0
// Lists: all pages of all upstreams as one page, in their order, with the names that clients use
// and the output schemas that suit the answers; at the end the gateway's own tools.
#include "enfold/gateway/lists.h"

#include "enfold/gateway/archive_resources.h"
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/selection.h"
#include "enfold/mcp/overlay.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace enfold::gateway {
namespace {

using mcp::Method;

constexpr std::size_t kMostPages = 1000;
constexpr std::size_t kMostTold = 100;
constexpr std::size_t kMostResources = 100'000;
// The profile of the client that lets longer answers pass when their tool announces them.
constexpr std::string_view kHonoursHint = "claude-code";
constexpr std::size_t kMostByHint = 500'000;  // characters

std::string_view member_of(Method method) {
  switch (method) {
    case Method::tools_list: return "tools";
    case Method::prompts_list: return "prompts";
    case Method::resources_list: return "resources";
    default: return "resourceTemplates";
  }
}

json::Value with_size_hint(json::View tool, std::size_t characters) {
  json::Writer writer;
  mcp::Overlay()
      .member("_meta",
              [&](json::Writer& out) {
                mcp::Overlay()
                    .member("anthropic/maxResultSizeChars",
                            [&](json::Writer& hint) {
                              hint.integer(static_cast<std::int64_t>(characters));
                            })
                    .write(out, mcp::object_member(tool, "_meta").value_or(json::View()));
              })
      .write(writer, tool);
  return std::move(writer).finish_value();
}

bool is_of_resources(Method method) {
  return method == Method::resources_list || method == Method::resources_templates_list;
}

std::string name_of(json::View item) { return mcp::text_member(item, "name").value_or(""); }

std::optional<mcp::Reply> failure_of_all(const std::vector<Listed>& of) {
  const auto failed = [](const Listed& one) { return one.pages.failure.has_value(); };
  if (of.empty() || !std::ranges::all_of(of, failed)) return std::nullopt;
  const client::CallFailure& failure = *of.front().pages.failure;
  return failure.refusal ? mcp::Reply(*failure.refusal) : mcp::to_rpc_error(failure.error);
}

// With `items` in place of its own, or of those of nobody.
json::Value with_items(json::View result, Method method, const json::Value& items) {
  json::Writer writer;
  mcp::Overlay()
      .member(member_of(method), [&](json::Writer& out) { out.value(items); })
      .without("nextCursor")
      .write(writer, result);
  return std::move(writer).finish_value();
}

}  // namespace

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
  ticket_ = link_->request(std::move(options),
                           {.done = [self = shared_from_this()](client::CallResult result) {
                             self->take(std::move(result));
                           }});
}

void Gathering::cancel(std::string_view reason) {
  done_ = nullptr;
  if (const auto ticket = std::exchange(ticket_, std::nullopt)) link_->cancel(*ticket, reason);
}

void Gathering::take(client::CallResult result) {
  ticket_.reset();
  if (!done_) return;
  if (!result) {
    pages_.failure = std::move(result.error());
    finish();
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
    finish();
  }
}

void Gathering::finish() {
  const Done done = std::exchange(done_, nullptr);
  done(std::move(pages_));
}

std::shared_ptr<Gathering> gather(std::shared_ptr<Link> link, Method method, json::Value params,
                                  std::shared_ptr<const mcp::Caller> caller, Gathering::Done done) {
  auto gathering = std::make_shared<Gathering>(std::move(link), method, std::move(params),
                                               std::move(caller), std::move(done));
  gathering->next(std::nullopt);
  return gathering;
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
           if (!pages.failure) know_tools(upstream_of(*link), pages.items);
           (*then)();
         });
}

void Gateway::know_tools(Upstream& upstream, const std::vector<json::Value>& items) {
  std::vector<json::Value> offered;
  for (const json::Value& item : items) {
    if (is_offered(upstream.settings, name_of(item.view()))) offered.push_back(item);
  }
  upstream.tools.replace(offered);
}

void Gateway::list(const mcp::Call& call, const std::shared_ptr<server::Port>& port) {
  if (std::get_if<mcp::ListRequest>(&call.params)->cursor) {
    port->reply(call.key,
                mcp::invalid_params("Invalid params: expected no cursor, for there is one page"));
    return;
  }
  struct All {
    std::size_t left;
    std::vector<Listed> of;
  };
  auto all = std::make_shared<All>(All{upstreams_.size(), {}});
  for (const auto& upstream : upstreams_) all->of.push_back({upstream.get(), {}});
  Visitor& visitor = visitor_of(*port);
  for (std::size_t i = 0; i < upstreams_.size(); ++i) {
    const auto gathered = [this, alive = alive_, all, i, call,
                           weak = std::weak_ptr(port)](Pages pages) {
      if (!*alive) return;
      sweep_later();
      all->of[i].pages = std::move(pages);
      if (--all->left > 0) return;
      if (const std::shared_ptr<server::Port> open = weak.lock()) {
        visitor_of(*open).lists.erase(call.key);
        open->reply(call.key, write_list(call, *open, std::move(all->of)));
      }
    };
    const auto& identity = upstreams_[i]->identity;
    if (is_of_resources(call.method) && identity && !identity->capabilities.has("resources")) {
      loop_.defer([gathered] { gathered({}); });
      continue;
    }
    visitor.lists[call.key].push_back(gather(link_for(visitor, call, *upstreams_[i]), call.method,
                                             with_trace(call.raw_params, step_of(call)),
                                             call.caller, gathered));
  }
}

// One item as clients see it; what cannot be read is theirs to judge.
bool Gateway::write_item(json::Writer& writer, const mcp::Call& call, Upstream& upstream,
                         json::View item, server::AnswerContract contract) {
  if (call.method == Method::tools_list) return write_tool(writer, call, upstream, item, contract);
  if (call.method == Method::prompts_list) {
    auto prompt = mcp::read_prompt(item);
    if (prompt) prompt->name = shown(upstream, prompt->name);
    prompt ? mcp::write(writer, *prompt) : void(writer.value(item));
    return !prompt;
  }
  const std::string_view key = call.method == Method::resources_list ? "uri" : "uriTemplate";
  if (auto uri = mcp::text_member(item, key)) note_resource(std::move(*uri), upstream);
  writer.value(item);
  return true;
}

bool Gateway::write_tool(json::Writer& writer, const mcp::Call& call, Upstream& upstream,
                         json::View item, server::AnswerContract contract) {
  const std::string name = name_of(item);
  auto tool = shown_tool(item, shown(upstream, name), contract,
                         settings_.check_of(upstream.settings, name));
  const bool renamed = tool && tool->name != name;
  std::optional<std::size_t> most = settings_.max_description;
  if (!most && (contract || renamed)) most = kMostDescription;
  bool cut = false;
  if (tool && tool->description && most) {
    std::string text = bounded(*tool->description, *most);
    cut = text != *tool->description;
    tool->description = std::move(text);
  }
  if (!tool || (!contract && !renamed && !cut)) {
    writer.value(item);
    return true;
  }
  if (contract && !is_structured(call)) tool->output_schema.reset();
  mcp::write(writer, *tool, call.caller->era);
  return false;
}

// Who names many loses those it named before: names are an upstream's own to choose.
void Gateway::note_resource(std::string uri, Upstream& upstream) {
  if (resources_.size() >= kMostResources) {
    std::erase_if(resources_, [&](const auto& one) { return one.second == &upstream; });
  }
  if (resources_.size() < kMostResources) resources_.insert_or_assign(std::move(uri), &upstream);
}

std::optional<std::size_t> Gateway::most_tools(const mcp::Call& call) const {
  if (settings_.max_tools) return settings_.max_tools;
  return server::profile_for(settings_.answers, call.caller.get()).max_tools;
}

// A client that keeps long answers from its model lets those pass that were announced.
std::size_t Gateway::size_hint(const mcp::Call& call) const {
  const token::Profile& profile = server::profile_for(settings_.answers, call.caller.get());
  const auto& budget = settings_.answers.budget;
  const bool honours = profile.name == kHonoursHint;
  if (!honours || !budget || budget->characters <= profile.max_characters) return 0;
  return std::min(budget->characters, kMostByHint);
}

// Where answers are text alone no schema may be announced: clients would insist on it.
bool Gateway::is_structured(const mcp::Call& call) const {
  const server::Settings& answers = settings_.answers;
  return server::channels_for(answers, server::profile_for(answers, call.caller.get())) !=
         pipeline::Channels::text;
}

std::vector<json::Value> Gateway::own_tools_beside(const std::set<std::string>& taken,
                                                   contract::Id contract,
                                                   const mcp::Call& call) const {
  const json::Value own =
      json::parse_own(own_tools_->shared()
                          .catalog->list_tools(contract, call.caller->era, is_structured(call))
                          .str());
  std::vector<json::Value> out;
  for (const json::View tool : own->find("tools")->items()) {
    if (!taken.contains(name_of(tool))) out.emplace_back(tool);
  }
  return out;
}

// Nobody sees the tools at the end of a list that is too long for the client; the operator is told
// once which they are.
void Gateway::tell_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                            std::size_t most) {
  if (names.empty()) return;
  std::string note =
      fmt::format("{} tools are more than {} takes ({}), left out: {}", most + names.size(),
                  call.caller->client_name(), most, fmt::join(names, ", "));
  if (told_left_out_.size() >= kMostTold || !told_left_out_.insert(note).second) return;
  settings_.answers.log({.level = server::LogLine::Level::warning,
                         .event = "tools_left_out",
                         .note = std::move(note)});
}

mcp::Reply Gateway::write_list(const mcp::Call& call, server::Port& port, std::vector<Listed> of) {
  // A new configuration may have sent some away since they were asked.
  std::erase_if(of, [&](const Listed& one) {
    return std::ranges::none_of(upstreams_, [&](const auto& now) { return now.get() == one.by; });
  });
  const bool archived =
      call.method == Method::resources_templates_list && offers_archive(call, port);
  if (auto failed = failure_of_all(of); failed && !archived) return *std::move(failed);
  const server::AnswerContract contract = contract_for(call, port);
  const bool tools = call.method == Method::tools_list;
  std::set<std::string> taken;
  for (const Listed& one : of) {
    if (tools && !one.pages.failure) know_tools(*one.by, one.pages.items);
    for (const json::Value& item : one.pages.items) {
      taken.insert(shown(*one.by, name_of(item.view())));
    }
  }
  std::vector<json::Value> own;
  if (tools && contract) own = own_tools_beside(taken, *contract, call);
  const std::optional<std::size_t> most = tools ? most_tools(call) : std::nullopt;
  std::size_t room = most ? std::max(*most, own.size()) - own.size() : SIZE_MAX;
  const std::size_t hint = tools && contract ? size_hint(call) : 0;
  std::vector<std::string> left_out;
  // Of one upstream everything that is not changed stays as it said it.
  const bool one = of.size() == 1 && !of.front().pages.results.empty();
  bool as_it_is = one && of.front().pages.results.size() == 1 && own.empty() && !archived;
  json::Writer list;
  list.begin_array();
  for (const Listed& each : of) {
    for (const json::Value& item : each.pages.items) {
      const std::string name = name_of(item.view());
      if (tools && !is_offered(each.by->settings, name)) {
        as_it_is = false;
        continue;
      }
      if (room == 0) {
        left_out.push_back(shown(*each.by, name));
        continue;
      }
      --room;
      const json::Value shown_item = hint > 0 ? with_size_hint(item.view(), hint) : item;
      const bool kept = write_item(list, call, *each.by, shown_item.view(), contract);
      as_it_is = as_it_is && kept && hint == 0;
    }
  }
  for (const json::Value& tool : own) {
    list.value(hint > 0 ? with_size_hint(tool.view(), hint) : tool);
  }
  if (archived) list.value(archive_template());
  if (most) tell_left_out(call, left_out, *most);
  list.end_array();
  const json::Value items = std::move(list).finish_value();
  if (!one) return mcp::complete(with_items({}, call.method, items));
  json::Value& first = of.front().pages.results.front();
  if (as_it_is && left_out.empty()) return mcp::Relayed{std::move(first)};
  return mcp::Relayed{with_items(first.view(), call.method, items)};
}

}  // namespace enfold::gateway
