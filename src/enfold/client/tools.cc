// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/tools.h"

#include "enfold/base/text.h"
#include "enfold/client/list.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::client {
namespace {

constexpr std::size_t kViolationsShown = 8;

std::string name_of(json::View tool) {
  return json::string_member(tool, "name").value_or("(without a name)");
}

// One broken entry spoils nothing but itself.
void take(Toolbox& box, json::View entry, bool with_headers) {
  Result<mcp::Tool> tool = mcp::read_tool(entry);
  if (!tool) {
    box.unusable.push_back({name_of(entry), tool.error()});
    return;
  }
  OfferedTool offered{std::move(*tool), {}};
  if (with_headers) {
    Result<mcp::ParamHeaders> headers = mcp::read_param_headers(offered.tool.input_schema.view());
    if (!headers) {
      box.unusable.push_back({offered.tool.name, headers.error()});
      return;
    }
    offered.headers = std::move(*headers);
  }
  box.tools.push_back(std::move(offered));
}

std::string in_words(const std::vector<schema::Violation>& violations) {
  std::vector<std::string> lines;
  lines.reserve(violations.size());
  for (const schema::Violation& violation : violations) {
    lines.push_back(fmt::format("{}: expected {}, found {}",
                                violation.instance.empty() ? "(root)" : violation.instance,
                                violation.expected, violation.found));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

// nullopt: it suits, or nobody can tell.
std::optional<std::string> mismatch(const json::Value& schema, json::View instance) {
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return std::nullopt;
  const Result<schema::Validation> checked = compiled->validate(instance, {}, kViolationsShown);
  if (!checked || checked->valid) return std::nullopt;
  return in_words(checked->violations);
}

}  // namespace

const OfferedTool* Toolbox::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools, [&](const OfferedTool& one) { return one.tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

std::vector<std::string> Toolbox::names() const {
  std::vector<std::string> out;
  out.reserve(tools.size());
  for (const OfferedTool& one : tools) out.push_back(one.tool.name);
  return out;
}

void list_tools(Client& client,
                net::Callback<void(tl::expected<Toolbox, CallFailure> tools)> done) {
  list(client, mcp::Method::tools_list,
       [&client, done = std::move(done)](ListResult listed) mutable {
         if (!listed) {
           done(tl::unexpected(std::move(listed.error())));
           return;
         }
         const bool with_headers =
             client.is_over_http() && client.server().era == mcp::Era::stateless;
         Toolbox box;
         for (const json::Value& item : listed->items) take(box, item.view(), with_headers);
         done(std::move(box));
       });
}

Result<const OfferedTool*> choose(const Toolbox& tools, std::string_view name) {
  if (const OfferedTool* found = tools.find(name)) return found;
  for (const UnusableTool& one : tools.unusable) {
    if (one.name != name) continue;
    return fail(ErrorCode::unsupported, fmt::format("the tool {} cannot be used", name), {},
                one.why.message);
  }
  const std::vector<std::string> names = tools.names();
  return fail(ErrorCode::not_found, fmt::format("the server has no tool {}", json::quote(name)), {},
              did_you_mean(name, names,
                           names.empty() ? std::string("it offers no tools")
                                         : fmt::format("it offers {}", fmt::join(names, ", "))));
}

Status check_arguments(const OfferedTool& tool, json::View arguments) {
  const json::Value none = json::parse_own("{}");
  const json::View given = arguments.is_null() ? none.view() : arguments;
  if (!given.is_object()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected an object of arguments, found {}", json::name(given.kind())),
                {}, R"(write them like {"name": "value"})");
  }
  const auto problem = mismatch(tool.tool.input_schema, given);
  if (!problem) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("the arguments do not suit the tool {}:\n{}", tool.tool.name, *problem));
}

Status check_answer(const OfferedTool& tool, json::View result) {
  if (!tool.tool.output_schema) return {};
  const auto structured = result.find("structuredContent");
  if (!structured) {
    if (model::is_failed_result(result)) return {};
    return fail(ErrorCode::protocol_violation,
                "the tool announces an output schema and answers without structured content");
  }
  const auto problem = mismatch(*tool.tool.output_schema, *structured);
  if (!problem) return {};
  return fail(ErrorCode::protocol_violation,
              fmt::format("the answer does not meet the output schema that the tool announces:\n{}",
                          *problem));
}

ToolRequest request_for(const OfferedTool& tool, json::Value arguments) {
  ToolRequest request;
  request.name = tool.tool.name;
  request.arguments = std::move(arguments);
  request.headers = tool.headers;
  request.may_retry = mcp::may_retry(mcp::read_tool_hints(tool.tool.annotations));
  return request;
}

}  // namespace enfold::client
