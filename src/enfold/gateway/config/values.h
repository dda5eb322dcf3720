// SPDX-License-Identifier: Apache-2.0
// Reads configuration values that need more than their text: secrets from environment variables and
// files, paths, durations. Collects errors with their line and column, so that all are reported at
// once.
#pragma once

#include "enfold/gateway/config/config.h"

#include <filesystem>

namespace enfold::gateway {

/// How ConfigValues reads environment variables and files; tests pass other functions.
struct ConfigSources {
  std::filesystem::path folder;  ///< base of relative paths: the folder of the configuration
  std::function<std::optional<std::string>(const std::string& name)> variable;
  std::function<Result<std::string>(const std::filesystem::path& file)> file;

  /// The environment variables and files of this process.
  [[nodiscard]] static ConfigSources of(const std::filesystem::path& config_file);
};

/// The content of a file of at most 1 MiB.
[[nodiscard]] Result<std::string> read_small_file(const std::filesystem::path& file);

class ConfigValues {
 public:
  ConfigValues(const Toml& text, const ConfigSources& sources) : text_(text), sources_(sources) {}

  /// Adds an error about the value at a JSON Pointer into the configuration; add_key_error: about
  /// the key, so that the error has the place of the key.
  void add_error(const std::string& pointer, const std::string& message, std::string hint);
  void add_error(const std::string& pointer, const Error& error);
  void add_key_error(const std::string& pointer, std::string message, std::string hint);

  // The next two add an error for a value that is not valid, and return a placeholder: empty text,
  // or the longest duration, 720h.
  /// The text, or the secret that a table refers to. A secret that is written in the configuration
  /// itself is an error; `key`, the name of the value, helps to recognise one.
  [[nodiscard]] std::string text(const json::Value& value, const std::string& pointer,
                                 const std::string& key = {});
  [[nodiscard]] std::chrono::milliseconds duration(const std::string& value,
                                                   const std::string& pointer);
  /// The path of a file; a relative one starts at the folder of the configuration.
  [[nodiscard]] std::string path(const std::string& value) const;

  /// Whether the configuration has the key at `pointer` before that at `other`; false if it lacks
  /// one.
  [[nodiscard]] bool is_before(const std::string& pointer, const std::string& other) const;

  [[nodiscard]] std::vector<Error> take_errors() { return std::move(errors_); }

 private:
  /// The secret that a table refers to.
  [[nodiscard]] std::string secret(const SecretConfig& from, const std::string& pointer);

  const Toml& text_;
  const ConfigSources& sources_;
  std::vector<Error> errors_;
};

/// Whether a value looks like a secret. `key` is the name of the value, or empty.
[[nodiscard]] bool is_secret(std::string_view value, std::string_view key);

/// A valid name of an environment variable: "API_KEY" for "api-key".
[[nodiscard]] std::string variable_name(std::string_view text);
/// A name for the value after this argument of a command line: "API_KEY" after "--api-key"; empty
/// if the argument is no flag, or has its value in it (--flag=VALUE).
[[nodiscard]] std::string name_after_flag(std::string_view argument);

}  // namespace enfold::gateway
