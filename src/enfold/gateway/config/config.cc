// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/config.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/schema/schema.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxErrors = 20;  // reported at once
constexpr std::string_view kSecretReference = "#/$defs/text_or_secret";

// Replaces the name of a JSON type at the begin of a problem's text by that of TOML.
std::string toml_term(std::string term) {
  if (term == "object") return "a table";
  if (term == "array") return "a list";
  if (term.starts_with("object")) return "table" + term.substr(6);
  if (term.starts_with("empty object")) return "empty table";
  if (term.starts_with("array")) return "list" + term.substr(5);
  if (term.starts_with("empty array")) return "empty list";
  return term;
}

// `schema`: the one that was not met; `pointer`: of the value that was checked against it in
// `text`.
Error to_error(const tools::Problem& problem, const json::Value& schema, const std::string& pointer,
               const Toml& text) {
  tools::Problem translated = problem;
  // For a duration the problem has kDurationPattern, which users do not read: says it in words.
  const bool is_duration = translated.expected.find("(ms|s|m|h)") != std::string::npos;
  translated.expected =
      is_duration ? "a duration: a number and ms, s, m or h" : toml_term(translated.expected);
  translated.found = toml_term(translated.found);
  Error error = tools::describe_problem(translated, schema);
  const std::string place = pointer + problem.place;
  // The error names the place of the key if the key is unknown, else that of the value.
  const bool unknown = problem.kind == schema::Violation::Kind::unknown_member;
  error.where = unknown ? text.where_key(place) : text.where(place);
  if (error.hint.empty()) error.hint = "docs/reference/configuration.md lists the keys";
  if (!unknown && !place.empty()) error.message = dotted(place) + ": " + error.message;
  return error;
}

// A text, or a table with exactly one of `env` and `file`.
void write_secret_schema(json::Writer& writer) {
  writer.begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", "string").end_object();
  writer.begin_object();
  mcp::Overlay()
      .member("oneOf",
              [](json::Writer& out) {
                out.begin_array();
                for (const char* const key : {"env", "file"}) {
                  out.begin_object().key("required").begin_array().string(key).end_array();
                  out.end_object();
                }
                out.end_array();
              })
      .write_members(writer, tools::input_schema_of<SecretConfig>().view());
  writer.end_object().end_array().end_object();
}

void write_secret_reference(json::Writer& writer) {
  writer.begin_object().member("$ref", kSecretReference).end_object();
}

// Writes the schema of the declarations as it is published: keys that may have a secret are marked
// by `format` there; here they refer to the schema of a text or secret.
void write_published_schema(json::Writer& writer, json::View schema) {
  if (schema.is_array()) {
    writer.begin_array();
    for (const json::View item : schema.items()) write_published_schema(writer, item);
    writer.end_array();
    return;
  }
  if (!schema.is_object()) {
    writer.value(schema);
    return;
  }
  const auto format = schema.find("format");
  // With `type`, the value is a list or table whose items may be secrets; without, it may be one
  // itself.
  const bool has_secrets = format && format->equals(kTextOrSecret);
  const bool is_secret = has_secrets && !schema.find("type");
  writer.begin_object();
  if (is_secret) writer.member("$ref", kSecretReference);
  for (const json::Member& member : schema.members()) {
    if (has_secrets && member.key.equals("format")) continue;
    writer.key(member.key);
    if (has_secrets && member.key.equals("additionalProperties")) {
      write_secret_reference(writer);
    } else if (has_secrets && member.key.equals("type") && member.value.equals("array")) {
      writer.string("array").key("items");
      write_secret_reference(writer);
    } else {
      write_published_schema(writer, member.value);
    }
  }
  writer.end_object();
}

}  // namespace

std::vector<Error> check_against(const json::Value& schema, json::View value,
                                 const std::string& pointer, const Toml& text) {
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return {compiled.error()};
  const Result<schema::Validation> checked = compiled->validate(value, {}, kMaxErrors);
  if (!checked) return {checked.error()};
  std::vector<Error> errors;
  for (const schema::Violation& violation : checked->violations) {
    errors.push_back(to_error(tools::problem_of(violation), schema, pointer, text));
  }
  return errors;
}

tools::ConfigResult<ReadConfig> read_config(std::string_view text, std::string file_name) {
  Result<Toml> toml = read_toml(text, std::move(file_name));
  if (!toml) return tl::unexpected(std::vector<Error>{toml.error()});
  const json::Value schema = tools::input_schema_of<Config>();
  std::vector<Error> errors = check_against(schema, toml->value.view(), "", *toml);
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  std::vector<tools::Problem> problems;
  ReadConfig out{tools::read_arguments<Config>(toml->value.view(), problems), std::move(*toml)};
  if (problems.empty()) return out;
  for (const tools::Problem& problem : problems) {
    errors.push_back(to_error(problem, schema, "", out.text));
  }
  return tl::unexpected(std::move(errors));
}

json::Value config_schema() {
  json::Writer writer;
  writer.begin_object()
      .member("$schema", "https://json-schema.org/draft/2020-12/schema")
      .member("$id", "https://enfold.dev/schema/gateway-config.json")
      .member("title", "Configuration of enfold serve");
  const json::Value declared = tools::input_schema_of<Config>();
  for (const json::Member& member : declared->members()) {
    writer.key(member.key);
    write_published_schema(writer, member.value);
  }
  writer.key("$defs").begin_object().key("text_or_secret");
  write_secret_schema(writer);
  writer.end_object().end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::gateway
