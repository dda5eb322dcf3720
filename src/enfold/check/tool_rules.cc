// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/numbers.h"
#include "enfold/base/text.h"
#include "enfold/check/rules.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"
#include "enfold/mcp/types/hidden_text.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/schema/schema.h"
#include "enfold/token/tokenizer.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::check {
namespace {

constexpr std::size_t kMaxQuoted = 40;  // bytes of a name that a finding quotes

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

void check_name(const std::string& name, Findings& out) {
  const auto add = [&](Severity severity, std::string what) {
    out.push_back({Rule::tool_name, severity, std::move(what), {}});
  };
  const auto odd = std::find_if_not(name.begin(), name.end(), is_name_character);
  if (name.empty()) {
    add(Severity::error, "the tool has no name");
  } else if (odd != name.end()) {
    add(Severity::error,
        fmt::format("the name {} has characters other than letters, digits, _, - and .",
                    json::quote(utf8::prefix(name, kMaxQuoted))));
  }
  if (name.size() > kProtocolNameLimit) {
    add(Severity::error, fmt::format("the name has {} characters; the protocol allows at most {}",
                                     name.size(), kProtocolNameLimit));
  } else if (name.size() > kClientNameLimit) {
    add(Severity::warning, fmt::format("the name has {} characters; some clients allow at most {}",
                                       name.size(), kClientNameLimit));
  }
}

void check_description(json::View tool, Findings& out) {
  const auto text = json::string_member(tool, "description").value_or("");
  if (text.empty()) {
    out.push_back(
        {Rule::description,
         Severity::warning,
         "there is no description, so a model has to guess from the name what the tool does",
         {}});
    return;
  }
  const std::size_t length = utf8::length(text);
  if (length <= kDescriptionLimit) return;
  out.push_back({Rule::description,
                 Severity::warning,
                 fmt::format("the description has {} characters ({} tokens in every session); "
                             "some clients cut it at {}",
                             grouped(length), grouped(token::o200k_base().count(text)),
                             grouped(kDescriptionLimit)),
                 {}});
}

void check_schema(json::View tool, std::string_view member, Findings& out) {
  const auto schema = tool.find(member);
  if (!schema) return;
  const Result<schema::Schema> compiled = schema::Schema::compile(json::Value(*schema));
  if (compiled) return;
  const Error& error = compiled.error();
  // Enfold does not support a keyword or pattern, or refuses it as too costly: the schema may be
  // valid.
  const bool is_unsupported =
      error.code == ErrorCode::unsupported || error.code == ErrorCode::limit_exceeded;
  out.push_back({Rule::schema,
                 is_unsupported ? Severity::note : Severity::error,
                 fmt::format("{}: {}{}", member, error.message,
                             error.where.empty() ? "" : fmt::format(" at {}", error.where)),
                 {}});
}

}  // namespace

Findings check_tool(json::View tool) {
  Findings out;
  check_name(json::string_member(tool, "name").value_or(""), out);
  check_description(tool, out);
  if (mcp::without_hidden_text(tool)) {
    out.push_back({Rule::description,
                   Severity::error,
                   "the name, a title or a description has characters that a model reads and a "
                   "screen does not show: tags, direction marks or zero-width characters",
                   {}});
  }
  const auto input = mcp::object_member(tool, "inputSchema");
  const auto type = input ? input->find("type") : std::nullopt;
  if (!type || !type->equals("object")) {
    out.push_back({Rule::schema,
                   Severity::error,
                   fmt::format("inputSchema: expected \"type\": \"object\", found {}",
                               type    ? json::to_text(*type)
                               : input ? "no type"
                                       : "no schema"),
                   {}});
  } else {
    check_schema(tool, "inputSchema", out);
  }
  check_schema(tool, "outputSchema", out);
  return out;
}

Findings check_tool(json::View tool, std::set<std::string>& names) {
  Findings out = check_tool(tool);
  const std::string name = json::string_member(tool, "name").value_or("");
  if (!names.insert(name).second) {
    out.push_back(
        {Rule::tool_name,
         Severity::error,
         fmt::format("an earlier tool has the name {} too; a call reaches only one of them",
                     json::quote(utf8::prefix(name, kMaxQuoted))),
         {}});
  }
  return out;
}

}  // namespace enfold::check
