// SPDX-License-Identifier: Apache-2.0
// Writes texts of a client's settings as values of the configuration: variables become references
// or their present values, secrets become references to variables.
#pragma once

#include "enfold/gateway/clients/import.h"
#include "enfold/gateway/clients/variables.h"

namespace enfold::gateway {

class ImportValues {
 public:
  using Note = std::function<void(const std::string& text)>;

  /// `note` is called with what was changed, and what to do.
  ImportValues(const ImportOptions& options, Note note)
      : options_(options), note_(std::move(note)) {}

  /// The file of the texts that follow.
  void use_file(const ClientSettings& settings);
  /// The upstream of the texts that follow.
  void use_upstream(const std::string& name) { upstream_ = name; }
  /// Reserves the variables of all placeholders in a value, so that no secret gets one of them.
  void reserve(json::View value);

  /// Whether the configuration can refer to the only variable of a text.
  [[nodiscard]] bool is_placeholder(const std::string& text) const {
    return placeholder_of(text).has_value();
  }
  /// The TOML value of a text. A secret is not copied: the value then refers to the environment
  /// variable `variable`. `place` is for notes; `key`, the name of the value, helps to recognise a
  /// secret.
  [[nodiscard]] std::string value(const std::string& text, const std::string& place,
                                  const std::string& key, const std::string& variable);
  /// Refers to the variable `wanted`, or to another one if `wanted` is used for another secret.
  [[nodiscard]] std::string secret(const std::string& secret, const std::string& wanted,
                                   const std::string& prefix, const std::string& place);
  /// The text with the present values of its variables.
  [[nodiscard]] std::string resolved(const std::string& text, const std::string& place);

  /// A TOML table that refers to an environment variable.
  [[nodiscard]] static std::string variable(const std::string& name, const std::string& prefix);

 private:
  // Text that ends in one value which the configuration can refer to.
  struct Placeholder {
    std::string prefix;
    std::string name;  ///< environment variable that replaces it, or the file that holds it
    bool is_file = false;
  };

  [[nodiscard]] std::optional<Placeholder> placeholder_of(const std::string& text) const;
  [[nodiscard]] std::optional<std::string> value_of(const TextPiece& piece) const;
  [[nodiscard]] std::optional<std::string> home() const;
  [[nodiscard]] std::string file_path(const std::string& path) const;

  const ImportOptions& options_;
  Note note_;
  const ClientSettings* settings_ = nullptr;
  std::string upstream_;
  std::map<std::string, std::string> secrets_;  ///< or placeholders, by the name of their variable
};

}  // namespace enfold::gateway
