// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/headers.h"

#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/json/number.h"
#include "enfold/json/pointer.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

// Whether the value is marked as Base64: =?base64?…?=.
bool looks_encoded(std::string_view value) {
  return value.size() >= kEncodedBegin.size() + kEncodedEnd.size() &&
         equals_ignoring_case(value.substr(0, kEncodedBegin.size()), kEncodedBegin) &&
         value.ends_with(kEncodedEnd);
}

// Whether `text` is this name in any case. Compares the bytes first, which is quicker: most clients
// spell the names as here.
bool is_name(std::string_view text, std::string_view known) {
  return text == known || equals_ignoring_case(text, known);
}

bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7F; }

std::string to_base64(std::string_view bytes) {
  std::string out = to_base64url(bytes);
  std::replace(out.begin(), out.end(), '-', '+');
  std::replace(out.begin(), out.end(), '_', '/');
  return out;
}

// `value`, decoded if it is encoded; then the result points into `room`. nullopt: as for
// decode_header_value().
std::optional<std::string_view> decode(std::string_view value, std::string& room) {
  if (looks_encoded(value)) {
    value.remove_prefix(kEncodedBegin.size());
    value.remove_suffix(kEncodedEnd.size());
    auto decoded = from_base64(value);
    if (!decoded) return std::nullopt;
    room = std::move(*decoded);
    return room;
  }
  const auto allowed = [](char c) { return is_printable_ascii(c) || c == '\t'; };
  if (!std::all_of(value.begin(), value.end(), allowed)) return std::nullopt;
  return value;
}

// `body`: the value in the body, for the error message. nullopt (no error): the header is there
// exactly once, and `agrees` returns true for its decoded value.
template <class Agrees>
std::optional<RpcError> check_header(HeaderFields fields, std::string_view header,
                                     std::string_view body, Agrees agrees) {
  std::size_t count = 0;
  std::string_view found;
  for (const HeaderField& field : fields) {
    if (!is_name(field.name, header)) continue;
    ++count;
    found = field.value;
  }
  if (count > 1) {  // a proxy may have read another of them than this function would
    return header_mismatch(header, fmt::format("Expected one header {}, found {}", header, count));
  }
  std::string room;
  const auto decoded = count == 1 ? decode(trimmed(found), room) : std::nullopt;
  if (decoded && agrees(*decoded)) return std::nullopt;
  return header_mismatch(
      header, fmt::format("Expected the header {} to say what the body says, {}; found {}", header,
                          json::quote(body),
                          count == 0                      ? "no such header"
                          : decoded                       ? json::quote(*decoded)
                          : looks_encoded(trimmed(found)) ? "broken Base64"
                                                          : "a byte that no header may hold"));
}

std::optional<RpcError> check_header(HeaderFields fields, std::string_view header,
                                     std::string_view body) {
  return check_header(fields, header, body,
                      [&](std::string_view decoded) { return decoded == body; });
}

constexpr std::string_view kKeyword = "x-mcp-header";

// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
  });
}

std::optional<ParamHeader::Kind> kind_from_name(std::string_view type) {
  if (type == "string") return ParamHeader::Kind::string;
  if (type == "integer") return ParamHeader::Kind::integer;
  if (type == "boolean") return ParamHeader::Kind::boolean;
  return std::nullopt;
}

/// Finds the "x-mcp-header" keywords of an input schema.
class ParamHeaderCollector {
 public:
  Result<ParamHeaders> collect(json::View schema) {
    visit(schema, /*reachable=*/true, /*where=*/"");
    if (problem_) return tl::unexpected(*problem_);
    return std::move(found_);
  }

 private:
  // `reachable`: every step from the root to this schema went through `properties`. `where`: its
  // JSON Pointer.
  void visit(json::View schema, bool reachable, const std::string& where) {
    if (problem_ || !schema.is_object()) return;
    if (const auto name = schema.find(kKeyword)) declare(schema, *name, reachable, where);
    for (const json::Member& member : schema.members()) {
      const std::string key = member.key.string();
      // The values of these keywords are data, not schemas.
      if (key == "const" || key == "enum" || key == "default" || key == "examples") continue;
      std::string below = where;
      json::append_token(below, key);
      if (key == "properties" || key == "patternProperties" || key == "$defs" ||
          key == "definitions" || key == "dependentSchemas") {
        visit_named(member.value, reachable && key == "properties", below);
      } else if (member.value.is_array()) {
        std::size_t index = 0;
        for (const json::View item : member.value.items()) {
          visit(item, /*reachable=*/false, fmt::format("{}/{}", below, index++));
        }
      } else {
        visit(member.value, /*reachable=*/false, below);
      }
    }
  }

  // Visits the schemas that are members of an object, such as `properties`.
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

  // Adds the header of this name for the argument that `schema` describes, or sets `problem_`.
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
                 return equals_ignoring_case(other.name, text);
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
  std::vector<std::string> path_;  ///< names of the schemas from the root to the current one
  std::optional<Error> problem_;   ///< the first rule that is broken
};

std::optional<json::View> argument_at(json::View arguments, const ParamHeader& declared) {
  std::optional<json::View> at = arguments;
  for (const std::string& step : declared.path) {
    if (at) at = at->find(step);
  }
  if (!at || at->is_null()) return std::nullopt;
  return at;
}

// The header text of an argument; nullopt if its type is not the declared one. Such an argument is
// refused later, by the validation of the arguments.
std::optional<std::string> text_of(const ParamHeader& declared, json::View argument) {
  using Kind = ParamHeader::Kind;
  if (declared.kind == Kind::string && argument.is_string()) return argument.string();
  if (declared.kind == Kind::boolean && argument.is_boolean()) {
    return argument.boolean() ? "true" : "false";
  }
  if (declared.kind == Kind::integer && argument.is_number()) return std::string(argument.number());
  return std::nullopt;
}

// Integers are compared as numbers, so that 1 and 1.0 agree.
bool values_agree(const ParamHeader& declared, std::string_view header, std::string_view body) {
  if (declared.kind != ParamHeader::Kind::integer) return header == body;
  const Result<json::Document> number = json::parse(header);
  return number && number->root().is_number() &&
         json::Number(number->root().number()) == json::Number(body);
}

}  // namespace

std::optional<std::string_view> find_header(HeaderFields fields, std::string_view name) {
  for (const HeaderField& field : fields) {
    if (is_name(field.name, name)) return trimmed(field.value);
  }
  return std::nullopt;
}

std::string encode_header_value(std::string_view text) {
  const bool safe = std::all_of(text.begin(), text.end(), is_printable_ascii) &&
                    !text.starts_with(' ') && !text.ends_with(' ') && !text.empty() &&
                    !looks_encoded(text);
  if (safe) return std::string(text);
  return std::string(kEncodedBegin) + to_base64(text) + std::string(kEncodedEnd);
}

std::optional<std::string> decode_header_value(std::string_view value) {
  std::string room;
  const auto decoded = decode(value, room);
  if (!decoded) return std::nullopt;
  return std::string(*decoded);
}

std::optional<std::string> mcp_name_of(Method method, json::View params) {
  const std::string_view member = info(method).name_param;
  if (member.empty()) return std::nullopt;
  return json::string_member(params, member);
}

std::vector<Header> standard_headers(std::string_view version, std::string_view method,
                                     json::View params) {
  std::vector<Header> out{{std::string(header::version), std::string(version)},
                          {std::string(header::method), encode_header_value(method)}};
  if (const auto name = mcp_name_of(method_from_name(method), params)) {
    out.push_back({std::string(header::name), encode_header_value(*name)});
  }
  return out;
}

std::optional<RpcError> check_headers(HeaderFields fields, std::string_view version,
                                      std::string_view method, json::View params) {
  if (auto problem = check_header(fields, header::version, version)) return problem;
  if (auto problem = check_header(fields, header::method, method)) return problem;
  const auto name = mcp_name_of(method_from_name(method), params);
  return name ? check_header(fields, header::name, *name) : std::nullopt;
}

Result<ParamHeaders> read_param_headers(json::View input_schema) {
  return ParamHeaderCollector().collect(input_schema);
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
    const auto argument = argument_at(arguments, one);
    if (!argument) {
      if (!find_header(fields, name)) continue;
      return header_mismatch(name, fmt::format("Expected no header {}, because the body has no "
                                               "such argument; found one",
                                               name));
    }
    const auto body = text_of(one, *argument);
    if (!body) continue;
    auto problem = check_header(fields, name, *body, [&](std::string_view decoded) {
      return values_agree(one, decoded, *body);
    });
    if (problem) return problem;
  }
  return std::nullopt;
}

}  // namespace enfold::mcp
