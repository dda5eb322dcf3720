// SPDX-License-Identifier: Apache-2.0
// The configuration of a server: a JSON file, read into a struct that declares its keys with
// arguments() as a request does. Every key that is wrong is reported at once, with its place.
//   struct Config {
//     std::string database = "memory.db";
//     static constexpr auto arguments() {
//       return server::arguments(server::argument("database", &Config::database)
//                                    .describe("File of the memories").defaulted());
//     }
//   };
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/server/read_arguments.h"

#include <string>
#include <vector>

namespace enfold::server {

template <class T>
using ConfigResult = tl::expected<T, std::vector<Error>>;

/// What is expected and found instead, with the known key that was probably meant or what the key
/// is for; where it stands is for the caller to say.
[[nodiscard]] Error describe_problem(const Problem& problem, const json::Value& schema);

namespace detail {

/// The bytes of a file that is no larger than a configuration may be.
[[nodiscard]] Result<std::string> read_config_file(const std::string& file);
/// `name` is what people call the text: its file.
[[nodiscard]] ConfigResult<json::Value> check_config(const std::string& text,
                                                     const std::string& name,
                                                     const json::Value& schema);
[[nodiscard]] Error config_error(const json::Value& config, const std::string& name,
                                 const Problem& problem, const json::Value& schema);

}  // namespace detail

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

}  // namespace enfold::server
