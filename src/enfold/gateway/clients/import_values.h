// SPDX-License-Identifier: Apache-2.0
// Writes texts of a client's settings as TOML values of the configuration: the client's variables
// become references to environment variables or files, or else are replaced by their present
// values; secrets become references to environment variables.
#pragma once

#include "enfold/gateway/clients/import.h"
#include "enfold/gateway/clients/variables.h"

namespace enfold::gateway {

class ImportValues {
 public:
  using Note = std::function<void(const std::string& text)>;

  /// `note` is called with each remark for the user: what was changed, and what to do.
  ImportValues(const ImportOptions& options, Note note)
      : options_(options), note_(std::move(note)) {}

  /// Sets the file of the texts that the next calls get.
  void use_file(const ClientSettings& settings);
  /// Sets the upstream of the texts that the next calls get.
  void use_upstream(const std::string& name) { upstream_ = name; }
  /// Reserves the variables of all placeholders in a value, so that no secret gets one of them.
  void reserve(json::View value);

  /// Whether a text ends in its only variable, to which the configuration can refer.
  [[nodiscard]] bool is_placeholder(const std::string& text) const {
    return placeholder_of(text).has_value();
  }
  /// The TOML value of a text. A secret is not copied: the value then refers to the environment
  /// variable `variable`. `place` is for notes; `key`, the name of the value (may be empty), helps
  /// to recognise a secret.
  [[nodiscard]] std::string value(const std::string& text, const std::string& place,
                                  const std::string& key, const std::string& variable);
  /// The TOML value for a secret: refers to the environment variable `wanted`, or to another one if
  /// `wanted` is used for another secret. `prefix`: text before the secret, such as "Bearer ".
  [[nodiscard]] std::string secret(const std::string& secret, const std::string& wanted,
                                   const std::string& prefix, const std::string& place);
  /// The text with its variables replaced by their present values; adds notes about them. If one
  /// has no known value, the text as it is.
  [[nodiscard]] std::string resolved(const std::string& text, const std::string& place);

  /// A TOML table that refers to an environment variable.
  [[nodiscard]] static std::string variable(const std::string& name, const std::string& prefix);

 private:
  /// A text that ends in its only variable, to which the configuration can refer.
  struct Placeholder {
    std::string prefix;
    std::string name;  ///< the environment variable, or the path of the file, with the value
    bool is_file = false;
  };

  /// For a value that the client asks its user for, the placeholder is an environment variable of
  /// that name.
  [[nodiscard]] std::optional<Placeholder> placeholder_of(const std::string& text) const;
  /// The present value of a piece; unset: it has none, or may be a secret.
  [[nodiscard]] std::optional<std::string> value_of(const TextPiece& piece) const;
  [[nodiscard]] std::optional<std::string> home() const;
  /// The path of a file, as OpenCode and Windsurf read it: ~/ is the home folder, other
  /// relative paths start at the folder of the settings.
  [[nodiscard]] std::string file_path(const std::string& path) const;

  const ImportOptions& options_;
  Note note_;
  const ClientSettings* settings_ = nullptr;
  std::string upstream_;
  /// By environment variable that the configuration refers to: its secret or placeholder.
  std::map<std::string, std::string> secrets_;
};

}  // namespace enfold::gateway
