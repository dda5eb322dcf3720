// SPDX-License-Identifier: Apache-2.0
// Reads a configuration into a struct that declares its keys with arguments(). Reports up to ten
// violations of the schema at once, each with its place; without any, all values that are refused.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/tools/declare/read_arguments.h"

namespace enfold::tools {

/// A configuration, or its errors: at least one.
template <class T>
using ConfigResult = tl::expected<T, std::vector<Error>>;

/// The error for a problem. Its message says what was expected and found; its hint names the most
/// similar known key, or describes the key. The caller adds the place.
[[nodiscard]] Error describe_problem(const Problem& problem, const json::Value& schema);

namespace detail {

/// The content of a file; `limit_exceeded` if it is too large for a configuration.
[[nodiscard]] Result<std::string> read_config_file(const std::string& file);
/// Parses a configuration and checks it against the schema. `name`: of the file, for messages.
[[nodiscard]] ConfigResult<json::Value> check_config(const std::string& text,
                                                     const std::string& name,
                                                     const json::Value& schema);
/// describe_problem, with the place in the file. `config`: the configuration as it was read.
[[nodiscard]] Error config_error(const json::Value& config, const std::string& name,
                                 const Problem& problem, const json::Value& schema);

}  // namespace detail

/// Reads a configuration. `text`: the configuration as JSON; `name`: of its file, for messages.
template <Declares Config>
[[nodiscard]] ConfigResult<Config> read_config(const std::string& text, const std::string& name) {
  const json::Value schema = input_schema_of<Config>();
  const ConfigResult<json::Value> checked = detail::check_config(text, name, schema);
  if (!checked) return tl::unexpected(checked.error());
  std::vector<Problem> problems;
  Config config = read_arguments<Config>(checked->view(), problems);
  if (problems.empty()) return config;
  std::vector<Error> errors;
  errors.reserve(problems.size());
  for (const Problem& problem : problems) {
    errors.push_back(detail::config_error(*checked, name, problem, schema));
  }
  return tl::unexpected(std::move(errors));
}

}  // namespace enfold::tools
