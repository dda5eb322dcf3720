// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/list_writer.h"

#include "enfold/base/hidden_text.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/hidden_text.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

// The profile of the only known client that passes longer answers to its model if the tool
// announces their size in `anthropic/maxResultSizeChars`.
constexpr std::string_view kReadsAnnouncedSize = "claude-code";
constexpr std::size_t kMaxAnnouncedSize = 500'000;  // characters

constexpr std::size_t kMaxKeptLists = 4;  // lists of tools that are kept for further clients

json::Value with_announced_size(json::View tool, std::size_t characters) {
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

// The reply if all upstreams failed; nullopt: a list must be written. If none of several upstreams
// supports the method, the client gets an empty list; the refusal of a single upstream is
// forwarded.
std::optional<mcp::Reply> failure_of_all(const std::vector<UpstreamList>& lists) {
  const auto failed = [](const UpstreamList& one) { return one.pages.failure.has_value(); };
  if (lists.empty() || !std::ranges::all_of(lists, failed)) return std::nullopt;
  const auto is_unsupported = [](const UpstreamList& one) {
    const auto& refusal = one.pages.failure->refusal;
    return refusal && refusal->code == mcp::code::method_not_found;
  };
  if (lists.size() > 1 && std::ranges::all_of(lists, is_unsupported)) return std::nullopt;
  return as_reply(tl::unexpected(*lists.front().pages.failure));
}

// Whether answers to this client are, or may be, in an envelope.
bool may_be_in_contract(const tools::ClientTerms& terms) {
  return terms.contract || terms.contract_when_cut;
}

json::Value with_items(json::View result, Method method, const json::Value& items) {
  json::Writer writer;
  mcp::Overlay()
      .member(items_member(method), [&](json::Writer& out) { out.value(items); })
      .without("nextCursor")
      .write(writer, result);
  return std::move(writer).finish_value();
}

}  // namespace

bool ListWriter::must_write(const mcp::Call& call, serve::ClientChannel& channel,
                            const Upstream& upstream) const {
  // With the archive Enfold announces resources even if the upstream has none and would refuse
  // both lists. ListCall then answers that there are no resources, and lists Enfold's template.
  const bool resources =
      call.method == Method::resources_list || call.method == Method::resources_templates_list;
  if (resources) return local_.offers_archive(call, channel);
  if (call.method != Method::tools_list) return false;
  const bool selects =
      !upstream.settings.tools_allow.empty() || !upstream.settings.tools_deny.empty();
  return selects || environment_.settings.max_description_length || max_tools(call) ||
         may_be_in_contract(local_.terms_for(call, channel));
}

mcp::Reply ListWriter::write(const mcp::Call& call, serve::ClientChannel& channel,
                             const std::vector<UpstreamList>& lists) const {
  const tools::ClientTerms terms = local_.terms_for(call, channel);
  Target target{.call = call,
                .contract = terms.contract,
                .announces_output = !terms.contract_when_cut,
                .local_tools = {}};
  target.adds_archive =
      call.method == Method::resources_templates_list && local_.offers_archive(call, channel);
  if (auto failed = failure_of_all(lists); failed && !target.adds_archive) {
    return *std::move(failed);
  }
  if (call.method == Method::tools_list && may_be_in_contract(terms)) {
    std::set<std::string> upstream_names;
    for (const UpstreamList& one : lists) {
      for (const json::Value& item : one.pages.items) {
        upstream_names.insert(routes_.shown(*one.upstream, without_hidden(item_name(item.view()))));
      }
    }
    const auto contract = terms.contract ? terms.contract : terms.contract_when_cut;
    target.local_tools = local_.list(upstream_names, *contract, call);
  }
  if (call.method == Method::resources_list) {
    for (const UpstreamList& one : lists) {
      if (!one.pages.failure) resources_.forget_listed(*one.upstream);
    }
  }
  const Items items =
      call.method == Method::tools_list ? write_tools(target, lists) : write_items(target, lists);
  // If there is a single upstream, the other members of its result stay unchanged.
  if (lists.size() != 1 || lists.front().pages.results.empty()) {
    return mcp::complete(with_items({}, call.method, items.list));
  }
  const std::vector<json::Value>& results = lists.front().pages.results;
  const bool is_whole = results.size() == 1 && !lists.front().pages.cut_reason;
  if (items.is_unchanged && is_whole) return mcp::UpstreamResult{results.front()};
  return mcp::UpstreamResult{with_items(results.front().view(), call.method, items.list)};
}

ListWriter::Items ListWriter::write_tools(const Target& target,
                                          const std::vector<UpstreamList>& lists) const {
  ToolsKey key = key_of(target, lists);
  const auto found = std::ranges::find(written_, key, &WrittenTools::key);
  if (found != written_.end()) {
    std::rotate(found, found + 1, written_.end());
    return written_.back().written;
  }
  if (written_.size() == kMaxKeptLists) written_.erase(written_.begin());
  written_.push_back({std::move(key), write_items(target, lists)});
  return written_.back().written;
}

ListWriter::ToolsKey ListWriter::key_of(const Target& target,
                                        const std::vector<UpstreamList>& lists) const {
  const mcp::Caller* const caller = target.call.caller.get();
  ToolsKey key{.contract = target.contract, .announces_output = target.announces_output};
  if (caller != nullptr) key.era = caller->era;
  key.reads_structured = gateway::reads_structured(environment_.settings, target.call);
  key.announced_size = announced_answer_size(target.call);
  key.max_tools = max_tools(target.call);
  if (key.max_tools) key.client = caller->client_name();
  for (const UpstreamList& one : lists) {
    key.upstreams.emplace_back(one.upstream->number, one.pages.items.size());
    for (const json::Value& item : one.pages.items) key.items.push_back({item});
  }
  for (const json::Value& tool : target.local_tools) key.items.push_back({tool});
  return key;
}

struct ListWriter::Writing {
  json::Writer list;
  bool is_tools;
  bool needs_name;  ///< a tool without a name could not be called
  std::size_t announced_size;
  std::size_t room;  ///< for further items
  bool is_unchanged;
  std::set<std::string> listed{};       ///< names of tools
  std::vector<std::string> left_out{};  ///< for which there was no room
};

ListWriter::Items ListWriter::write_items(const Target& target,
                                          const std::vector<UpstreamList>& lists) const {
  const bool is_tools = target.call.method == Method::tools_list;
  const std::size_t most = is_tools ? max_tools(target.call).value_or(SIZE_MAX) : SIZE_MAX;
  const std::size_t local = target.local_tools.size();
  Writing writing{
      .list = {},
      .is_tools = is_tools,
      .needs_name = is_tools && (target.contract || lists.size() > 1),
      .announced_size = is_tools && target.contract ? announced_answer_size(target.call) : 0,
      .room = std::max(most, local) - local,
      .is_unchanged = target.local_tools.empty() && !target.adds_archive};
  writing.list.begin_array();
  for (const UpstreamList& each : lists) {
    for (const json::Value& item : each.pages.items)
      add_item(writing, target, *each.upstream, item);
  }
  for (const json::Value& tool : target.local_tools) {
    writing.list.value(writing.announced_size > 0
                           ? with_announced_size(tool.view(), writing.announced_size)
                           : tool);
  }
  if (target.adds_archive) writing.list.value(archive_template());
  warn_left_out(target.call, writing.left_out, most);
  writing.list.end_array();
  return {std::move(writing.list).finish_value(), writing.is_unchanged && writing.left_out.empty()};
}

void ListWriter::add_item(Writing& writing, const Target& target, Upstream& upstream,
                          const json::Value& listed) const {
  const std::optional<json::Value> clean = mcp::without_hidden_text(listed.view());
  const json::Value& item = clean ? *clean : listed;
  const std::string name = item_name(item.view());
  const bool was_unchanged = std::exchange(writing.is_unchanged, false);
  if (clean) {
    warn(upstream, "hidden_text",
         fmt::format("{} has hidden characters in its definition, which were removed",
                     json::quote(name)));
  }
  if (writing.needs_name && name.empty()) {
    return warn(upstream, "tool_without_name", "the server lists a tool that has no name");
  }
  if (writing.is_tools && !is_offered(upstream.settings, name)) return;
  if (writing.is_tools && !writing.listed.insert(routes_.shown(upstream, name)).second) {
    return warn(upstream, "tool_listed_twice",
                "the server lists two tools of the name " + json::quote(name));
  }
  if (writing.room == 0) {
    writing.left_out.push_back(routes_.shown(upstream, name));
    return;
  }
  --writing.room;
  const std::size_t size = writing.announced_size;
  const json::Value shown = size > 0 ? with_announced_size(item.view(), size) : item;
  const bool is_kept = write_item(writing.list, target, upstream, shown.view());
  writing.is_unchanged = was_unchanged && is_kept && !clean && size == 0;
}

// An item without the name or URI that it should have is forwarded unchanged.
bool ListWriter::write_item(json::Writer& writer, const Target& target, Upstream& upstream,
                            json::View item) const {
  const Method method = target.call.method;
  if (method == Method::tools_list) return write_tool(writer, target, upstream, item);
  if (method == Method::prompts_list) {
    const auto name = json::string_member(item, "name");
    if (name) mcp::Overlay().text("name", routes_.shown(upstream, *name)).write(writer, item);
    if (!name) writer.value(item);
    return !name;
  }
  const std::string_view key = method == Method::resources_list ? "uri" : "uriTemplate";
  const auto uri = json::string_member(item, key);
  const auto from = method == Method::resources_list ? ResourceOwners::From::list
                                                     : ResourceOwners::From::elsewhere;
  if (!uri || resources_.set_owner(*uri, upstream, from)) {
    writer.value(item);
    return true;
  }
  warn(upstream, "resource_listed_twice",
       fmt::format("{} belongs to the upstream {}, which is configured first",
                   json::quote(show_text(environment_.settings, RedactionChannel::logs, *uri)),
                   resources_.owner_of(*uri)->settings.name));
  mcp::Overlay().text(key, shown_uri(upstream, *uri)).write(writer, item);
  return false;
}

bool ListWriter::write_tool(json::Writer& writer, const Target& target, const Upstream& upstream,
                            json::View item) const {
  const Settings& settings = environment_.settings;
  const std::string name = item_name(item);
  auto tool = shown_tool(item, routes_.shown(upstream, name), target.contract,
                         settings.output_check_of(upstream.settings, name));
  const bool renamed = tool && tool->name != name;
  std::optional<std::size_t> limit = settings.max_description_length;
  if (!limit && (target.contract || renamed)) limit = kMaxDescriptionLength;
  bool cut = false;
  if (tool && tool->description && limit) {
    std::string text = shortened(*tool->description, *limit);
    cut = text != *tool->description;
    tool->description = std::move(text);
  }
  const bool hides_output = tool && tool->output_schema && !target.announces_output;
  if (!tool || (!target.contract && !renamed && !cut && !hides_output)) {
    writer.value(item);
    return true;
  }
  if (hides_output || (target.contract && !reads_structured(settings, target.call))) {
    tool->output_schema.reset();
  }
  mcp::write(writer, *tool, target.call.caller->era);
  return false;
}

std::optional<std::size_t> ListWriter::max_tools(const mcp::Call& call) const {
  const Settings& settings = environment_.settings;
  if (settings.max_tools) return settings.max_tools;
  return tools::profile_for(settings.answers, call.caller.get()).max_tools;
}

std::size_t ListWriter::announced_answer_size(const mcp::Call& call) const {
  const tools::ServiceSettings& answers = environment_.settings.answers;
  const token::Profile& profile = tools::profile_for(answers, call.caller.get());
  const bool reads_size = profile.name == kReadsAnnouncedSize;
  if (!reads_size || !answers.budget || answers.budget->characters <= profile.max_characters) {
    return 0;
  }
  return std::min(answers.budget->characters, kMaxAnnouncedSize);
}

void ListWriter::warn(const Upstream& upstream, std::string_view event,
                      const std::string& message) const {
  log_.warn_once(upstream.settings.name + ": " + message, {.level = serve::LogLine::Level::warning,
                                                           .event = std::string(event),
                                                           .note = message,
                                                           .upstream = upstream.settings.name});
}

// Logs a warning with the tools at the end of the list that exceed the client's limit: the client
// does not see them.
void ListWriter::warn_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                               std::size_t max_tools) const {
  if (names.empty()) return;
  const std::string message =
      fmt::format("{} tools are more than {} takes ({}), left out: {}", max_tools + names.size(),
                  call.caller->client_name(), max_tools, fmt::join(names, ", "));
  log_.warn_once(
      message,
      {.level = serve::LogLine::Level::warning, .event = "tools_left_out", .note = message});
}

}  // namespace enfold::gateway
