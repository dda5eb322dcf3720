// SPDX-License-Identifier: Apache-2.0
// The form of a text in which it is searched: Café, CAFE and cafe are one, whatever the script.
#pragma once

#include "enfold/base/result.h"

#include <memory>
#include <string>
#include <string_view>

struct sqlite3;

namespace memory {

/// Folds case and accents with the tables of SQLite's text index. Not for two threads at once.
class Folding {
 public:
  /// `database` must be open for as long as this is used.
  [[nodiscard]] static enfold::Result<Folding> of(sqlite3* database);

  /// Without case, accents and vowel marks, with one space for any white space. Characters that
  /// have nothing of these, such as kana or emoji, stay as they are.
  [[nodiscard]] std::string fold(std::string_view text) const;

 private:
  struct Tokenizer;
  explicit Folding(std::shared_ptr<Tokenizer> tokenizer) : tokenizer_(std::move(tokenizer)) {}
  std::shared_ptr<Tokenizer> tokenizer_;
};

}  // namespace memory
