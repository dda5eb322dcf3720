// SPDX-License-Identifier: Apache-2.0
// Lists: all pages of all upstreams as one page, in their order, with the names that clients use
// and the output schemas that suit the answers; at the end the gateway's own tools.
#include "enfold/gateway/lists/lists.h"

#include "enfold/gateway/gateway.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/policy/selection.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <set>

namespace enfold::gateway {
namespace {

using mcp::Method;

constexpr std::size_t kMostPages = 1000;
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

std::optional<mcp::Reply> failure_of_all(const std::vector<Listed>& of) {
  const auto failed = [](const Listed& one) { return one.pages.failure.has_value(); };
  if (of.empty() || !std::ranges::all_of(of, failed)) return std::nullopt;
  // Nobody has such things: of several that is an empty list.
  const auto has_none = [](const Listed& one) {
    const auto& refusal = one.pages.failure->refusal;
    return refusal && refusal->code == mcp::code::method_not_found;
  };
  if (of.size() > 1 && std::ranges::all_of(of, has_none)) return std::nullopt;
  return as_reply(tl::unexpected(*of.front().pages.failure));
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

std::string name_of(json::View item) { return mcp::text_member(item, "name").value_or(""); }

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

/// One list of a client, of all upstreams.
struct Gateway::Round {
  mcp::Call call;
  std::weak_ptr<serve::Port> port;
  std::vector<Listed> of;
  std::size_t left;  ///< that have not answered
  bool is_answered = false;
  std::unique_ptr<net::Timer> patience{};
};

void Gateway::list(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  if (std::get_if<mcp::ListRequest>(&call.params)->cursor) {
    port->reply(call.key,
                mcp::invalid_params("Invalid params: expected no cursor, for there is one page"));
    return;
  }
  const auto round = std::make_shared<Round>(Round{call, port, {}, upstreams_.size()});
  for (const auto& upstream : upstreams_) round->of.push_back({upstream.get(), {}});
  // Who waits for one alone has nothing else to look at, unless something is known of it.
  if (upstreams_.size() > 1 || upstreams_.front()->known.contains(call.method)) {
    const auto give_up = [this, alive = alive_, weak = std::weak_ptr(round)] {
      loop_.defer([this, alive, round = weak.lock()] {
        if (*alive && round && !round->is_answered) answer_list(*round);
      });
    };
    round->patience = std::make_unique<net::Timer>(loop_, give_up);
    round->patience->set_after(kListPatience);
  }
  Visitor& visitor = visitor_of(*port);
  std::vector<std::shared_ptr<Gathering>>& parts = visitor.lists[call.key];
  for (std::size_t i = 0; i < upstreams_.size(); ++i) {
    const auto take = [this, alive = alive_, round, i](Pages pages) {
      if (*alive) gathered(round, i, std::move(pages));
    };
    const auto& identity = upstreams_[i]->identity;
    if (is_of_resources(call.method) && identity && !identity->capabilities.has("resources")) {
      loop_.defer([take] { take({}); });
      continue;
    }
    parts.push_back(gather(link_for(visitor, call, *upstreams_[i]), call.method,
                           with_trace(call.raw_params, step_of(call)), call.caller, take));
  }
}

void Gateway::gathered(const std::shared_ptr<Round>& round, std::size_t which, Pages pages) {
  sweep_later();
  const Method method = round->call.method;
  Listed& part = round->of[which];
  const std::shared_ptr<serve::Port> port = round->port.lock();
  if (!pages.results.empty() && !pages.failure) {
    know(*part.by, method, pages.items);
    const bool missed = part.by->missed.erase(kind_of(method)) > 0;
    if (missed) tell_changed(kind_of(method), port.get());
  }
  if (round->is_answered) {
    const auto visitor = visitors_.find(port.get());
    const bool is_news = !pages.failure && !is_same_list(pages.items, part.pages.items);
    if (is_news && visitor != visitors_.end()) tell_changed(*visitor->second, kind_of(method));
    return;
  }
  part.pages = std::move(pages);
  part.has_come = true;
  if (--round->left == 0) answer_list(*round);
}

void Gateway::answer_list(Round& round) {
  round.is_answered = true;
  const std::shared_ptr<serve::Port> port = round.port.lock();
  const auto visitor = visitors_.find(port.get());
  const bool is_wanted = visitor != visitors_.end() && visitor->second->lists.erase(round.call.key);
  if (!is_wanted) return;
  std::vector<Listed> of = round.of;
  use_known(of, round.call.method);
  for (std::size_t i = 0; i < of.size(); ++i) round.of[i].pages.items = of[i].pages.items;
  std::erase_if(of, [&](const Listed& one) { return !is_here(one.by); });
  port->reply(round.call.key, write_list(round.call, *port, of));
}

// Of an upstream that cannot be asked, what it said last.
void Gateway::use_known(std::vector<Listed>& of, Method list) {
  for (Listed& one : of) {
    if (!is_here(one.by)) continue;
    if (!one.has_come) {
      one.pages.failure = client::CallFailure{
          {ErrorCode::timed_out, "the server did not answer in time", one.by->settings.name, {}},
          {},
          {}};
    }
    if (!one.pages.failure || one.pages.failure->refusal) continue;
    const auto known = one.by->known.find(list);
    if (known == one.by->known.end()) {
      one.by->missed.insert(kind_of(list));
      continue;
    }
    one.pages = {{}, known->second, {}};
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
  std::optional<std::size_t> most = settings_.max_description_length;
  if (!most && (contract || renamed)) most = kMaxDescriptionLength;
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
         answer::Channels::text;
}

mcp::Reply Gateway::write_list(const mcp::Call& call, serve::Port& port,
                               const std::vector<Listed>& of) {
  const bool archived =
      call.method == Method::resources_templates_list && offers_archive(call, port);
  if (auto failed = failure_of_all(of); failed && !archived) return *std::move(failed);
  const server::AnswerContract contract = contract_for(call, port);
  std::vector<json::Value> own;
  if (call.method == Method::tools_list && contract) {
    std::set<std::string> taken;
    for (const Listed& one : of) {
      for (const json::Value& item : one.pages.items) {
        taken.insert(shown(*one.by, name_of(item.view())));
      }
    }
    own = own_tools_beside(taken, *contract, call);
  }
  const Items items = write_items(call, of, contract, own, archived);
  // Of one upstream everything that is not changed stays as it said it.
  if (of.size() != 1 || of.front().pages.results.empty()) {
    return mcp::complete(with_items({}, call.method, items.list));
  }
  const std::vector<json::Value>& results = of.front().pages.results;
  if (items.as_they_are && results.size() == 1) return mcp::Relayed{results.front()};
  return mcp::Relayed{with_items(results.front().view(), call.method, items.list)};
}

Gateway::Items Gateway::write_items(const mcp::Call& call, const std::vector<Listed>& of,
                                    server::AnswerContract contract,
                                    const std::vector<json::Value>& own, bool archived) {
  const bool tools = call.method == Method::tools_list;
  const bool composed = contract || of.size() > 1;
  const std::optional<std::size_t> most = tools ? most_tools(call) : std::nullopt;
  std::size_t room = most ? std::max(*most, own.size()) - own.size() : SIZE_MAX;
  const std::size_t hint = tools && contract ? size_hint(call) : 0;
  std::vector<std::string> left_out;
  std::set<std::string> listed;
  bool as_they_are = own.empty() && !archived;
  json::Writer list;
  list.begin_array();
  for (const Listed& each : of) {
    for (const json::Value& item : each.pages.items) {
      const std::string name = name_of(item.view());
      if (tools && composed && name.empty()) {  // nobody could call it
        tell_of_list(*each.by, "tool_without_name", "the server lists a tool that has no name");
        as_they_are = false;
        continue;
      }
      const bool offered = !tools || is_offered(each.by->settings, name);
      if (!offered || (tools && !listed.insert(shown(*each.by, name)).second)) {
        // The first is the one that is called, as far as anybody can tell.
        if (offered) {
          tell_of_list(*each.by, "tool_listed_twice",
                       "the server lists two tools of the name " + json::quote(name));
        }
        as_they_are = false;
        continue;
      }
      if (room == 0) {
        left_out.push_back(shown(*each.by, name));
        continue;
      }
      --room;
      const json::Value shown_item = hint > 0 ? with_size_hint(item.view(), hint) : item;
      const bool kept = write_item(list, call, *each.by, shown_item.view(), contract);
      as_they_are = as_they_are && kept && hint == 0;
    }
  }
  for (const json::Value& tool : own) {
    list.value(hint > 0 ? with_size_hint(tool.view(), hint) : tool);
  }
  if (archived) list.value(archive_template());
  if (most) tell_left_out(call, left_out, *most);
  list.end_array();
  return {std::move(list).finish_value(), as_they_are && left_out.empty()};
}

}  // namespace enfold::gateway
