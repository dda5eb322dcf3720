// SPDX-License-Identifier: Apache-2.0
// What the tool of docs/guide/sdk-comparison.md searches: books in several parts.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace comparison {

struct Book;

class Index {
 public:
  explicit Index(bool stale = false) : stale_(stale) {}

  [[nodiscard]] std::set<std::string> genres() const { return {"novel", "poetry"}; }
  [[nodiscard]] int parts() const { return 4; }
  [[nodiscard]] bool is_stale() const { return stale_; }
  [[nodiscard]] std::vector<Book> scan(int part, const std::string& query,
                                       const std::optional<std::string>& genre) const;

 private:
  bool stale_;
};

}  // namespace comparison
