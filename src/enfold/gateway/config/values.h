// SPDX-License-Identifier: Apache-2.0
// The values of a configuration that need the world around it: secrets from the environment and
// from files, paths, durations. What is wrong with one is noted with its place, and the next is
// read, so that everything is told at once.
#pragma once

#include "enfold/gateway/config/config.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

/// What a configuration may look at.
struct Surroundings {
  std::filesystem::path folder;  ///< relative paths begin here: the folder of the configuration
  std::function<std::optional<std::string>(const std::string& name)> variable;
  std::function<Result<std::string>(const std::filesystem::path& file)> file;

  /// The environment and the files of this process.
  [[nodiscard]] static Surroundings of(const std::filesystem::path& config_file);
};

/// At most 1 MiB.
[[nodiscard]] Result<std::string> read_small_file(const std::filesystem::path& file);

class ConfigValues {
 public:
  ConfigValues(const Toml& text, const Surroundings& surroundings)
      : text_(text), surroundings_(surroundings) {}

  /// Notes what is wrong at a JSON Pointer into the configuration.
  void wrong(const std::string& pointer, const std::string& message, std::string hint);
  void wrong(const std::string& pointer, const Error& error);
  void wrong_key(const std::string& pointer, std::string message, std::string hint);

  /// Text, or the secret that a table names. A secret that stands in the configuration itself is
  /// wrong; `key` is the name that the value goes by, which may give it away.
  [[nodiscard]] std::string text(const json::Value& value, const std::string& pointer,
                                 const std::string& key = {});
  [[nodiscard]] std::chrono::milliseconds duration(const std::string& value,
                                                   const std::string& pointer);
  [[nodiscard]] std::string path(const std::string& value) const;

  [[nodiscard]] std::vector<Error> take_errors() { return std::move(errors_); }

 private:
  [[nodiscard]] std::string secret(const SecretConfig& from, const std::string& pointer);

  const Toml& text_;
  const Surroundings& surroundings_;
  std::vector<Error> errors_;
};

/// Whether a text, under the name that it goes by, is to be kept from others.
[[nodiscard]] bool is_secret(std::string_view value, std::string_view key);

/// "API_KEY" for "api-key": a name that a variable of the environment may have.
[[nodiscard]] std::string variable_name(std::string_view text);
/// What the argument behind "--api-key" goes by; empty when this one stands alone.
[[nodiscard]] std::string name_behind_flag(std::string_view flag);

}  // namespace enfold::gateway
