// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/config.h"

#include "enfold/base/text.h"
#include "enfold/schema/schema.h"

#include <cerrno>
#include <fmt/core.h>
#include <fstream>
#include <system_error>

namespace enfold::tools {
namespace {

constexpr std::size_t kLargestConfig = std::size_t{1} << 20;  // bytes
constexpr std::size_t kMostErrors = 10;                       // that are reported at once

// The keys, separated by commas.
std::string listed(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ", ") + key;
  return out;
}

// Where `found`, a part of the configuration, is: the file, line and column. `name`: of the file.
std::string place_of(const json::Value& config, const std::string& name, json::View found) {
  const std::string_view bytes = config->storage()->bytes.view();
  return fmt::format("{}, {}", name, json::describe_place(bytes, found.offset()));
}

bool is_unknown_key(const Problem& problem) {
  return problem.kind == schema::Violation::Kind::unknown_member;
}

}  // namespace

Error describe_problem(const Problem& problem, const json::Value& schema) {
  const Result<json::Pointer> pointer = json::Pointer::parse(problem.place);
  std::vector<std::string> tokens = pointer ? pointer->tokens() : std::vector<std::string>{};
  Error error{ErrorCode::invalid_input, {}, {}, {}};
  if (is_unknown_key(problem) && !tokens.empty()) {
    const std::string key = tokens.back();
    tokens.pop_back();
    const std::vector<std::string> known = members_of(schema_at(schema.view(), tokens));
    error.message = fmt::format("expected a known key, found \"{}\"", key);
    error.hint = did_you_mean(key, known, "there are: " + listed(known));
    return error;
  }
  error.message = fmt::format("expected {}, found {}", problem.expected, problem.found);
  const auto description = schema_at(schema.view(), tokens).find("description");
  if (description) {
    error.hint = tokens.empty() ? description->string()
                                : fmt::format("{}: {}", tokens.back(), description->string());
  }
  return error;
}

namespace detail {

Result<std::string> read_config_file(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  std::string text;
  if (input) {
    text.resize(kLargestConfig + 1);
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
  }
  if (!input.is_open() || input.bad()) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected a file that can be read: {}", std::generic_category().message(errno)),
        file, "--config takes the name of a JSON file");
  }
  if (text.size() > kLargestConfig) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} bytes, found more", kLargestConfig), file,
                "is this the configuration?");
  }
  return text;
}

Error config_error(const json::Value& config, const std::string& name, const Problem& problem,
                   const json::Value& schema) {
  const Result<json::Pointer> pointer = json::Pointer::parse(problem.place);
  const auto found = pointer ? pointer->resolve(config.view()) : std::nullopt;
  Error error = describe_problem(problem, schema);
  error.where = place_of(config, name, found.value_or(*config));
  if (!problem.place.empty() && !is_unknown_key(problem)) {
    error.message = fmt::format("{}: {}", problem.place, error.message);
  }
  if (error.hint.empty()) error.hint = "--help lists the keys";
  return error;
}

ConfigResult<json::Value> check_config(const std::string& text, const std::string& name,
                                       const json::Value& schema) {
  const auto give_up = [](Error error) {
    return tl::unexpected(std::vector<Error>{std::move(error)});
  };
  const Result<json::Document> document = json::parse(text);
  if (!document) {
    Error error = document.error();
    error.where = fmt::format("{}, {}", name, error.where);
    if (error.hint.empty()) error.hint = "JSON has no comments, trailing commas or single quotes";
    return give_up(std::move(error));
  }
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return give_up(compiled.error());
  const auto checked = compiled->validate(document->root(), {}, kMostErrors);
  if (!checked) return give_up(checked.error());
  if (checked->valid) return document->value();
  std::vector<Error> errors;
  for (const schema::Violation& violation : checked->violations) {
    errors.push_back(config_error(document->value(), name, problem_of(violation), schema));
  }
  return tl::unexpected(std::move(errors));
}

}  // namespace detail
}  // namespace enfold::tools
