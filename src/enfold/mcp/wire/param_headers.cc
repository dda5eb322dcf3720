// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"
#include "enfold/json/number.h"
#include "enfold/json/pointer.h"
#include "enfold/mcp/wire/headers.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

constexpr std::string_view kKeyword = "x-mcp-header";

// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

std::optional<ParamHeader::Kind> kind_from_name(std::string_view type) {
  if (type == "string") return ParamHeader::Kind::string;
  if (type == "integer") return ParamHeader::Kind::integer;
  if (type == "boolean") return ParamHeader::Kind::boolean;
  return std::nullopt;
}

class Collector {
 public:
  Result<ParamHeaders> collect(json::View schema) {
    visit(schema, true, "");
    if (problem_) return tl::unexpected(*problem_);
    return std::move(found_);
  }

 private:
  // `reachable`: every step from the root to here went through `properties`.
  void visit(json::View schema, bool reachable, const std::string& where) {
    if (problem_ || !schema.is_object()) return;
    if (const auto name = schema.find(kKeyword)) declare(schema, *name, reachable, where);
    for (const json::Member& member : schema.members()) {
      const std::string key = member.key.string();
      // These hold data, not schemas.
      if (key == "const" || key == "enum" || key == "default" || key == "examples") continue;
      std::string below = where;
      json::append_token(below, key);
      if (key == "properties" || key == "patternProperties" || key == "$defs" ||
          key == "definitions" || key == "dependentSchemas") {
        visit_named(member.value, reachable && key == "properties", below);
      } else if (member.value.is_array()) {
        for (const json::View item : member.value.items()) visit(item, false, below);
      } else {
        visit(member.value, false, below);
      }
    }
  }

  void visit_named(json::View schemas, bool reachable, const std::string& where) {
    if (!schemas.is_object()) return;
    for (const json::Member& member : schemas.members()) {
      path_.push_back(member.key.string());
      std::string below = where;
      json::append_token(below, path_.back());
      visit(member.value, reachable, below);
      path_.pop_back();
    }
  }

  void declare(json::View schema, json::View name, bool reachable, const std::string& where) {
    const std::string text = name.string();
    const auto kind = kind_from_name(json::string_member(schema, "type").value_or(""));
    std::string_view expected;
    if (!name.is_string() || !is_token(text)) {
      expected = "a header name";
    } else if (!reachable || path_.empty()) {
      expected = "a property that is reached through properties alone";
    } else if (!kind) {
      expected = "a property of type string, integer or boolean";
    } else if (std::any_of(found_.begin(), found_.end(), [&](const ParamHeader& other) {
                 return same_header(other.name, text);
               })) {
      expected = "header names that differ";
    }
    if (expected.empty()) {
      found_.push_back({text, path_, *kind});
      return;
    }
    problem_ =
        Error{ErrorCode::invalid_input,
              fmt::format("expected {} at {}, found {}", expected, kKeyword, json::to_text(name)),
              where, "leave this tool out over HTTP; tell its author"};
  }

  ParamHeaders found_;
  std::vector<std::string> path_;
  std::optional<Error> problem_;
};

std::optional<json::View> argument_at(json::View arguments, const ParamHeader& declared) {
  std::optional<json::View> at = arguments;
  for (const std::string& step : declared.path) {
    if (at) at = at->find(step);
  }
  if (!at || at->is_null()) return std::nullopt;
  return at;
}

// The header text of an argument; nullopt for a value that is not of the declared type, which is
// for the validation of the arguments to refuse.
std::optional<std::string> text_of(const ParamHeader& declared, json::View argument) {
  using Kind = ParamHeader::Kind;
  if (declared.kind == Kind::string && argument.is_string()) return argument.string();
  if (declared.kind == Kind::boolean && argument.is_boolean()) {
    return argument.boolean() ? "true" : "false";
  }
  if (declared.kind == Kind::integer && argument.is_number()) return std::string(argument.number());
  return std::nullopt;
}

bool agree(const ParamHeader& declared, std::string_view header, std::string_view body) {
  if (declared.kind != ParamHeader::Kind::integer) return header == body;
  const Result<json::Document> number = json::parse(header);
  return number && number->root().is_number() &&
         json::Number(number->root().number()) == json::Number(body);
}

}  // namespace

Result<ParamHeaders> read_param_headers(json::View input_schema) {
  return Collector().collect(input_schema);
}

std::vector<Header> param_headers(const ParamHeaders& declared, json::View arguments) {
  std::vector<Header> out;
  for (const ParamHeader& one : declared) {
    const auto argument = argument_at(arguments, one);
    const auto text = argument ? text_of(one, *argument) : std::nullopt;
    if (!text) continue;
    out.push_back({std::string(header::param_prefix) + one.name, encode_header_value(*text)});
  }
  return out;
}

std::optional<RpcError> check_param_headers(const ParamHeaders& declared, HeaderFields fields,
                                            json::View arguments) {
  for (const ParamHeader& one : declared) {
    const std::string name = std::string(header::param_prefix) + one.name;
    const auto sent = find_header(fields, name);
    const auto named = std::count_if(fields.begin(), fields.end(), [&](const HeaderField& field) {
      return same_header(field.name, name);
    });
    if (named > 1) {
      return header_mismatch(name, fmt::format("Expected one header {}, found {}", name, named));
    }
    const auto argument = argument_at(arguments, one);
    if (!argument) {
      if (!sent) continue;
      return header_mismatch(name, fmt::format("Expected no header {}, because the body has no "
                                               "such argument; found one",
                                               name));
    }
    const auto body = text_of(one, *argument);
    if (!body) continue;
    const auto decoded = sent ? decode_header_value(*sent) : std::nullopt;
    if (decoded && agree(one, *decoded, *body)) continue;
    return header_mismatch(
        name, fmt::format("Expected the header {} to say what the body says, {}; found {}", name,
                          json::quote(*body),
                          !sent     ? "no such header"
                          : decoded ? json::quote(*decoded)
                                    : "broken Base64"));
  }
  return std::nullopt;
}

}  // namespace enfold::mcp
