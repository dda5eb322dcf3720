// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/list_writer.h"

#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/upstream/connection.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

// The profile of the client that passes longer answers to its model if their tool announces the
// size.
constexpr std::string_view kHonoursSizeHint = "claude-code";
constexpr std::size_t kMostBySizeHint = 500'000;  // characters

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

// If no upstream of several has such a list, the client gets an empty list; the refusal of a single
// upstream is forwarded.
std::optional<mcp::Reply> failure_of_all(const std::vector<UpstreamList>& lists) {
  const auto failed = [](const UpstreamList& one) { return one.pages.failure.has_value(); };
  if (lists.empty() || !std::ranges::all_of(lists, failed)) return std::nullopt;
  const auto has_none = [](const UpstreamList& one) {
    const auto& refusal = one.pages.failure->refusal;
    return refusal && refusal->code == mcp::code::method_not_found;
  };
  if (lists.size() > 1 && std::ranges::all_of(lists, has_none)) return std::nullopt;
  return as_reply(tl::unexpected(*lists.front().pages.failure));
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

bool ListWriter::changes(const mcp::Call& call, serve::ClientChannel& channel,
                         const Upstream& upstream) const {
  const bool resources =
      call.method == Method::resources_list || call.method == Method::resources_templates_list;
  if (resources) return local_.offers_archive(call, channel);
  if (call.method != Method::tools_list) return false;
  const bool selects =
      !upstream.settings.tools_allow.empty() || !upstream.settings.tools_deny.empty();
  return selects || environment_.settings.max_description_length || max_tools(call) ||
         local_.contract_for(call, channel);
}

mcp::Reply ListWriter::write(const mcp::Call& call, serve::ClientChannel& channel,
                             const std::vector<UpstreamList>& lists) const {
  Target target{call, local_.contract_for(call, channel), {}};
  target.adds_archive =
      call.method == Method::resources_templates_list && local_.offers_archive(call, channel);
  if (auto failed = failure_of_all(lists); failed && !target.adds_archive) {
    return *std::move(failed);
  }
  if (call.method == Method::tools_list && target.contract) {
    std::set<std::string> taken;
    for (const UpstreamList& one : lists) {
      for (const json::Value& item : one.pages.items) {
        taken.insert(routes_.shown(*one.by, name_of(item.view())));
      }
    }
    target.local = local_.list(taken, *target.contract, call);
  }
  const Items items = write_items(target, lists);
  // If there is a single upstream, the other members of its result stay unchanged.
  if (lists.size() != 1 || lists.front().pages.results.empty()) {
    return mcp::complete(with_items({}, call.method, items.list));
  }
  const std::vector<json::Value>& results = lists.front().pages.results;
  if (items.is_unchanged && results.size() == 1) return mcp::UpstreamResult{results.front()};
  return mcp::UpstreamResult{with_items(results.front().view(), call.method, items.list)};
}

ListWriter::Items ListWriter::write_items(const Target& target,
                                          const std::vector<UpstreamList>& lists) const {
  const bool tools = target.call.method == Method::tools_list;
  const bool composed = target.contract || lists.size() > 1;
  const std::optional<std::size_t> most = tools ? max_tools(target.call) : std::nullopt;
  const std::size_t local = target.local.size();
  std::size_t room = most ? std::max(*most, local) - local : SIZE_MAX;
  const std::size_t hint = tools && target.contract ? size_hint(target.call) : 0;
  std::vector<std::string> left_out;
  std::set<std::string> listed;
  bool is_unchanged = target.local.empty() && !target.adds_archive;
  json::Writer list;
  list.begin_array();
  for (const UpstreamList& each : lists) {
    for (const json::Value& item : each.pages.items) {
      const std::string name = name_of(item.view());
      if (tools && composed && name.empty()) {  // a tool without a name could not be called
        warn(*each.by, "tool_without_name", "the server lists a tool that has no name");
        is_unchanged = false;
        continue;
      }
      const bool offered = !tools || is_offered(each.by->settings, name);
      if (!offered || (tools && !listed.insert(routes_.shown(*each.by, name)).second)) {
        if (offered) {
          warn(*each.by, "tool_listed_twice",
               "the server lists two tools of the name " + json::quote(name));
        }
        is_unchanged = false;
        continue;
      }
      if (room == 0) {
        left_out.push_back(routes_.shown(*each.by, name));
        continue;
      }
      --room;
      const json::Value shown = hint > 0 ? with_size_hint(item.view(), hint) : item;
      const bool kept = write_item(list, target, *each.by, shown.view());
      is_unchanged = is_unchanged && kept && hint == 0;
    }
  }
  for (const json::Value& tool : target.local) {
    list.value(hint > 0 ? with_size_hint(tool.view(), hint) : tool);
  }
  if (target.adds_archive) list.value(archive_template());
  if (most) warn_left_out(target.call, left_out, *most);
  list.end_array();
  return {std::move(list).finish_value(), is_unchanged && left_out.empty()};
}

// An item that cannot be parsed is forwarded unchanged.
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
  if (auto uri = json::string_member(item, key)) resources_.note(std::move(*uri), upstream);
  writer.value(item);
  return true;
}

bool ListWriter::write_tool(json::Writer& writer, const Target& target, const Upstream& upstream,
                            json::View item) const {
  const Settings& settings = environment_.settings;
  const std::string name = name_of(item);
  auto tool = shown_tool(item, routes_.shown(upstream, name), target.contract,
                         settings.check_of(upstream.settings, name));
  const bool renamed = tool && tool->name != name;
  std::optional<std::size_t> most = settings.max_description_length;
  if (!most && (target.contract || renamed)) most = kMaxDescriptionLength;
  bool cut = false;
  if (tool && tool->description && most) {
    std::string text = bounded(*tool->description, *most);
    cut = text != *tool->description;
    tool->description = std::move(text);
  }
  if (!tool || (!target.contract && !renamed && !cut)) {
    writer.value(item);
    return true;
  }
  if (target.contract && !reads_structured(settings, target.call)) tool->output_schema.reset();
  mcp::write(writer, *tool, target.call.caller->era);
  return false;
}

std::optional<std::size_t> ListWriter::max_tools(const mcp::Call& call) const {
  const Settings& settings = environment_.settings;
  if (settings.max_tools) return settings.max_tools;
  return tools::profile_for(settings.answers, call.caller.get()).max_tools;
}

// The answer size to announce for this client's tools; 0: none.
std::size_t ListWriter::size_hint(const mcp::Call& call) const {
  const tools::ServiceSettings& answers = environment_.settings.answers;
  const token::Profile& profile = tools::profile_for(answers, call.caller.get());
  const bool honours = profile.name == kHonoursSizeHint;
  if (!honours || !answers.budget || answers.budget->characters <= profile.max_characters) {
    return 0;
  }
  return std::min(answers.budget->characters, kMostBySizeHint);
}

void ListWriter::warn(const Upstream& upstream, std::string_view event,
                      const std::string& note) const {
  log_.warn_once(upstream.settings.name + ": " + note, {.level = serve::LogLine::Level::warning,
                                                        .event = std::string(event),
                                                        .note = note,
                                                        .upstream = upstream.settings.name});
}

// Logs a warning with the tools at the end of the list that exceed the client's limit: the client
// does not see them.
void ListWriter::warn_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                               std::size_t max_tools) const {
  if (names.empty()) return;
  const std::string note =
      fmt::format("{} tools are more than {} takes ({}), left out: {}", max_tools + names.size(),
                  call.caller->client_name(), max_tools, fmt::join(names, ", "));
  log_.warn_once(
      note, {.level = serve::LogLine::Level::warning, .event = "tools_left_out", .note = note});
}

}  // namespace enfold::gateway
